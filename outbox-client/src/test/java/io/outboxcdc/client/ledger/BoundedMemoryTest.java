package io.outboxcdc.client.ledger;

import io.outboxcdc.client.ledger.Finding.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What would break: a check of a large table that ends with no memory left. Half of all events belong to one aggregate,
 * since that is what hash partitions would not bear.
 *
 * <p>By default a million events in 32 MiB, where holding them would take more than 200; ten million with {@code
 * -Dledger.events=10000000}.
 */
class BoundedMemoryTest {

    private static final int HEAP_MIB = 32;
    private static final long EVENTS = Long.getLong("ledger.events", 1_000_000);
    private static final long LOST_ONE_IN = 100_000;

    @Test
    void eventsThatDoNotFitIntoMemoryAreJudgedAllTheSame(@TempDir Path folder) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP_MIB + "m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BoundedMemoryTest.class.getName(),
                        folder.toString(),
                        Long.toString(EVENTS))
                .redirectErrorStream(true)
                .start();

        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        assertThat(output.strip())
                .isEqualTo("%d committed, %d lost, 1 out of order".formatted(EVENTS, EVENTS / LOST_ONE_IN));
    }

    /** The child. */
    public static void main(String[] arguments) {
        long events = Long.parseLong(arguments[1]);
        try (Reconciliation reconciliation =
                new Reconciliation(Path.of(arguments[0]), Reconciliation.EVENTS_IN_MEMORY / 2)) {
            for (long i = 0; i < events; i++) {
                // The last event of the busy aggregate has the lowest sequence, so that it is late.
                Aggregate aggregate = new Aggregate("order", i % 2 == 0 ? "busy" : Long.toString(i % 1_000_003));
                reconciliation.committed(id(i), aggregate, i, Sequence.of(i == events / 2 * 2 - 2 ? -1 : i));
                if (i % LOST_ONE_IN != 1) {
                    reconciliation.seen(new Sighting(id(i), new Position(0, i), false, false));
                }
            }
            Tally tally = reconciliation.judge(Settlement.FINAL, finding -> {});
            System.out.printf(
                    "%d committed, %d lost, %d out of order%n",
                    tally.committed(), tally.count(Kind.LOST), tally.count(Kind.OUT_OF_ORDER));
        }
    }

    private static UUID id(long number) {
        return new UUID(number * 0x9E3779B97F4A7C15L, number);
    }
}
