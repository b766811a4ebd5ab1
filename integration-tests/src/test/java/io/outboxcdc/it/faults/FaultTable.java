package io.outboxcdc.it.faults;

import io.outboxcdc.client.ledger.Verdict;
import io.outboxcdc.it.TestHome;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/** Collects the outcomes of all trials of a run, a line each, in {@code integration-tests/target/fault-matrix.md}. */
final class FaultTable {

    private static final String HEAD = """
            | Fault | Profile | Events | Faults | Task restarts | Lost | Duplicated | Out of order | Seconds until events flow again |
            | --- | --- | --- | --- | --- | --- | --- | --- | --- |
            """;

    private static boolean begun;

    private FaultTable() {}

    static synchronized void add(Outcome outcome) {
        String line = line(outcome);
        System.out.println(line);
        Path file = TestHome.path().resolve("integration-tests/target/fault-matrix.md");
        try {
            if (!begun) {
                Files.writeString(file, HEAD);
                begun = true;
            }
            Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Outcome outcome) {
        Verdict verdict = outcome.verdict();
        String seconds = outcome.recoveries().stream().map(FaultTable::seconds).collect(Collectors.joining(", "));
        return "| %s | %s | %d | %d | %d | %d | %d | %d | %s |"
                .formatted(
                        outcome.name(),
                        outcome.profile().label(),
                        verdict.committed(),
                        outcome.faults(),
                        outcome.taskRestarts(),
                        verdict.lost(),
                        verdict.duplicated(),
                        verdict.outOfOrder(),
                        seconds);
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toMillis() / 1000.0);
    }
}
