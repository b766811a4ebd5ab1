package io.outboxcdc.it.inbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A {@link ConsumerMain} that runs. */
final class ConsumerProcess implements AutoCloseable {

    private final ProcessBuilder builder;
    private Process process;

    private ConsumerProcess(ProcessBuilder builder) {
        this.builder = builder;
        this.process = launch(builder);
    }

    static ConsumerProcess start(InboxStack stack, String name, String topic, Path log, Map<String, String> more) {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConsumerMain.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        Map<String, String> environment = new TreeMap<>(Map.of(
                "NAME",
                name,
                "TOPIC",
                topic,
                "DATABASE",
                stack.jdbcUrl(),
                "KAFKA",
                stack.bootstrapServers(),
                "BATCH",
                "200",
                "FAILURES",
                "0",
                "STORE_FIRST",
                "false",
                "HALT_AFTER_COMMITS",
                "0"));
        environment.putAll(more);
        builder.environment().putAll(environment);
        return new ConsumerProcess(builder);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    /** SIGKILL, and another one in its place. */
    void killAndRestart() {
        close();
        process = launch(builder);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private static Process launch(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
