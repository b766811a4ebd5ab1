package io.outboxcdc.it;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.awaitility.Awaitility.await;

/** The monitor's jar in a process of its own, which can be killed. */
final class MonitorProcess implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Pattern ADDRESS = Pattern.compile("runs at (\\S+)");

    private final Process process;
    private final Path log;

    private MonitorProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts it, and returns when it serves. */
    static MonitorProcess start(Path configuration, Path log) throws IOException {
        Files.deleteIfExists(log);
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        TestHome.path()
                                .resolve("monitoring/target/slot-monitor.jar")
                                .toString(),
                        configuration.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put(WatchedPipeline.PASSWORD, WatchedPipeline.SECRET);
        MonitorProcess monitor = new MonitorProcess(builder.start(), log);
        await().atMost(START).until(() -> ADDRESS.matcher(monitor.log()).find());
        return monitor;
    }

    URI url() {
        Matcher address = ADDRESS.matcher(log());
        if (!address.find()) {
            throw new IllegalStateException(log());
        }
        return URI.create(address.group(1));
    }

    String log() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
