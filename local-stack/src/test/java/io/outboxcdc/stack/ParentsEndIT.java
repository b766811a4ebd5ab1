package io.outboxcdc.stack;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever ends the JVM that started a stack: no process and no temporary folder outlives it. */
class ParentsEndIT {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Pattern SPACE = Pattern.compile(" ");

    @Test
    void sigkillLeavesNothingEvenOfFrozenParts() throws Exception {
        Process holder = holder("frozen");
        try (BufferedReader output = holder.inputReader()) {
            Path folder = Path.of(after("folder ", output));
            Descendants all = processes(after("pids ", output));

            holder.destroyForcibly().waitFor();

            assertThat(all.handles()).hasSizeGreaterThan(8);
            assertThat(all.awaitEnd(BOUND)).isTrue();
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void sigtermLeavesNothing() throws Exception {
        Process holder = holder("running");
        try (BufferedReader output = holder.inputReader()) {
            Path folder = Path.of(after("folder ", output));
            Descendants all = processes(after("pids ", output));

            holder.destroy();

            assertThat(holder.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(all.awaitEnd(BOUND)).isTrue();
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void sigintDuringTheStartLeavesNothing() throws Exception {
        Process holder = holder("running");
        try (BufferedReader output = holder.inputReader()) {
            after("starting", output);
            Descendants all = Descendants.of(holder);

            Signals.send("INT", List.of(holder.pid()));

            assertThat(holder.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(all.awaitEnd(BOUND)).isTrue();
            assertThat(temporaryFolders(holder.pid())).isEmpty();
        } finally {
            holder.destroyForcibly();
        }
    }

    static List<Path> temporaryFolders(long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith(WorkFolder.PREFIX + pid + "-"))
                    .toList();
        }
    }

    private static Process holder(String argument) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StackHolder.class.getName(),
                        argument)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String after(String prefix, BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(prefix)) {
                return line.substring(prefix.length());
            }
        }
        throw new AssertionError("the program ended without printing " + prefix);
    }

    private static Descendants processes(String pids) {
        return new Descendants(SPACE.splitAsStream(pids)
                .map(Long::parseLong)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList());
    }
}
