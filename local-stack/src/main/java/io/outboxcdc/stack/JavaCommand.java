package io.outboxcdc.stack;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a JVM is started on Kafka's class path: the same Java as this one.
 *
 * @param recording whether class archives are written in place of being used
 */
record JavaCommand(String classPath, ClassArchives archives, boolean recording) {

    static JavaCommand usual(RuntimeFolder runtime) {
        return of(runtime, false);
    }

    static JavaCommand recording(RuntimeFolder runtime) {
        return of(runtime, true);
    }

    /**
     * Runs {@code mainClass}; {@code archive} names the class archive. Temporary files go into {@code folder}: a JVM
     * that is killed leaves the native libraries there that it has unpacked.
     */
    List<String> running(String mainClass, String archive, Path folder, String heap, List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(recording ? archives.flagsToRecord(archive) : archives.flagsToUse(archive));
        command.addAll(flags);
        command.add("-Xmx" + heap);
        command.add("-Djava.awt.headless=true");
        command.add("-Djava.io.tmpdir=" + folder);
        command.add("-Dlog4j2.configurationFile=classpath:io/outboxcdc/stack/child/log4j2.properties");
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
        return command;
    }

    private static JavaCommand of(RuntimeFolder runtime, boolean recording) {
        String classPath =
                runtime.kafkaJars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return new JavaCommand(classPath, ClassArchives.of(runtime), recording);
    }
}
