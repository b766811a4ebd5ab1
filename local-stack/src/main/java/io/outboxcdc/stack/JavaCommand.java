package io.outboxcdc.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a JVM is started on Kafka's class path: the same Java as this one. */
record JavaCommand(String classPath) {

    List<String> running(String mainClass, String heap, List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("-Xmx" + heap);
        command.add("-Djava.awt.headless=true");
        command.add("-Dlog4j2.configurationFile=classpath:io/outboxcdc/stack/child/log4j2.properties");
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
        return command;
    }
}
