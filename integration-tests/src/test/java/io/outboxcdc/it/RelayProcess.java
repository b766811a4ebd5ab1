package io.outboxcdc.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.awaitility.Awaitility.await;

/** An instance of the relay, from the jar that users start. */
final class RelayProcess implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Pattern URL = Pattern.compile("its metrics are at (\\S+)");

    private final ProcessBuilder builder;
    private final Path log;
    private Process process;

    private RelayProcess(ProcessBuilder builder, Path log) throws IOException {
        this.builder = builder;
        this.log = log;
        this.process = builder.start();
    }

    /**
     * Starts one.
     *
     * @param folder for its configuration and its log
     * @param more   options in place of the usual ones
     */
    static RelayProcess start(Path folder, String name, String jdbcUrl, String kafka, Map<String, String> more)
            throws IOException {
        // The quick compiler, for a quick start.
        return start(folder, name, jdbcUrl, kafka, more, List.of("-XX:TieredStopAtLevel=1"));
    }

    /** As {@link #start}, but with both compilers of the JVM, to see how fast it is. */
    static RelayProcess startCompiled(Path folder, String name, String jdbcUrl, String kafka, Map<String, String> more)
            throws IOException {
        return start(folder, name, jdbcUrl, kafka, more, List.of());
    }

    private static RelayProcess start(
            Path folder, String name, String jdbcUrl, String kafka, Map<String, String> more, List<String> flags)
            throws IOException {
        Map<String, String> options = new TreeMap<>(Map.of(
                "jdbc.url", jdbcUrl,
                "jdbc.password", "${env:RELAY_PASSWORD}",
                "kafka.bootstrap.servers", kafka,
                "lease.duration.ms", "2000",
                "http.port", "0"));
        options.putAll(more);
        Path file = folder.resolve(name + ".properties");
        Files.writeString(
                file,
                options.entrySet().stream()
                        .map(option -> option.getKey() + "=" + option.getValue() + "\n")
                        .collect(Collectors.joining()));
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(flags);
        command.addAll(List.of(
                "-jar",
                TestHome.path()
                        .resolve("polling-relay/target/polling-relay.jar")
                        .toString(),
                file.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("RELAY_PASSWORD", RelayStack.PASSWORD);
        return new RelayProcess(builder, log);
    }

    RelayProcess awaitReady() {
        await("the relay answers: " + log).atMost(START).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("The relay ended: " + Files.readString(log));
            }
            return url().isPresent();
        });
        return this;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long metric(String name) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(url().orElseThrow().resolve("metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        Matcher line = Pattern.compile("(?m)^" + name + " (\\S+)$").matcher(answer.body());
        if (!line.find()) {
            throw new IllegalStateException("No metric " + name + " in:\n" + answer.body());
        }
        return (long) Double.parseDouble(line.group(1));
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGKILL, and another one in its place. */
    void killAndRestart() throws IOException {
        kill();
        process = builder.start();
    }

    /** SIGSTOP. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** SIGTERM, and its end. */
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The relay does not end: " + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("sh", "-c", "kill -s " + name + " " + process.pid())
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("SIG" + name + " was not sent");
        }
    }

    /** Of the last start: the log is appended to. */
    private Optional<URI> url() {
        return URL.matcher(log()).results().reduce((before, last) -> last).map(found -> URI.create(found.group(1)));
    }
}
