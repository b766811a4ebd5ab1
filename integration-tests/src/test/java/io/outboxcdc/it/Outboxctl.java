package io.outboxcdc.it;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** A run of the {@code outboxctl} script, with both its streams and every process below it. */
final class Outboxctl {

    private static final Duration ENDING = Duration.ofSeconds(10);

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<Thread> readers;
    private final Map<Long, ProcessHandle> descendants = new ConcurrentHashMap<>();

    private Outboxctl(Process process) {
        this.process = process;
        this.readers = List.of(collect(process.getInputStream(), output), collect(process.getErrorStream(), errors));
        Thread watcher = new Thread(this::noteDescendants, "descendants");
        watcher.setDaemon(true);
        watcher.start();
    }

    static Outboxctl start(String... arguments) throws IOException {
        return startWith(Map.of(), arguments);
    }

    static Outboxctl startWith(Map<String, String> environment, String... arguments) throws IOException {
        return startScript(TestHome.path().resolve("outboxctl"), environment, arguments);
    }

    static Outboxctl startScript(Path script, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return new Outboxctl(builder.start());
    }

    void signal(String name) throws IOException, InterruptedException {
        signal(Long.toString(process.pid()), name);
    }

    static void signal(String pid, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
    }

    /** The newest value that a line {@code NAME=value} of the output has. */
    String value(String name) {
        return output.stream()
                .filter(line -> line.startsWith(name + "="))
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new AssertionError("no line " + name + "=\n" + everything()))
                .substring(name.length() + 1);
    }

    int awaitExit(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("outboxctl did not end within " + atMost + "\n" + everything());
        }
        for (Thread reader : readers) {
            reader.join();
        }
        return process.exitValue();
    }

    void awaitLine(String regex, Duration atMost) {
        awaitIn(output, regex, atMost);
    }

    void awaitError(String regex, Duration atMost) {
        awaitIn(errors, regex, atMost);
    }

    String output() {
        return String.join("\n", output);
    }

    String errors() {
        return String.join("\n", errors);
    }

    List<String> errorLines() {
        return List.copyOf(errors);
    }

    String lastLine() {
        return output.get(output.size() - 1);
    }

    String everything() {
        return "--- output\n" + output() + "\n--- errors\n" + errors();
    }

    /**
     * Processes that were below this run at some time and go on after it; one that is just ending is waited for, since
     * orphans are gone only when the system's first process has collected them.
     */
    List<String> stillRunning() {
        try {
            Awaitility.await().atMost(ENDING).until(() -> running().isEmpty());
        } catch (ConditionTimeoutException e) {
            return running();
        }
        return List.of();
    }

    private List<String> running() {
        return descendants.values().stream()
                .filter(ProcessHandle::isAlive)
                .map(handle -> handle.pid() + " " + handle.info().commandLine().orElse("?"))
                .toList();
    }

    private void awaitIn(List<String> lines, String regex, Duration atMost) {
        Pattern wanted = Pattern.compile(regex);
        Awaitility.await(regex)
                .atMost(atMost)
                .failFast(() -> assertThat(process.isAlive()).as(everything()).isTrue())
                .until(() ->
                        lines.stream().anyMatch(line -> wanted.matcher(line).find()));
    }

    private void noteDescendants() {
        while (process.isAlive()) {
            process.descendants().forEach(handle -> descendants.put(handle.pid(), handle));
            try {
                process.waitFor(50, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static Thread collect(InputStream stream, List<String> lines) {
        Thread reader = new Thread(() -> {
            try (BufferedReader text = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                text.lines().forEach(lines::add);
            } catch (IOException e) {
                lines.add("(stream broke: " + e.getMessage() + ")");
            }
        });
        reader.setDaemon(true);
        reader.start();
        return reader;
    }
}
