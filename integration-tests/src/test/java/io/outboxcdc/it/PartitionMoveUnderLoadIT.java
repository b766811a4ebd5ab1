package io.outboxcdc.it;

import io.outboxcdc.cli.demo.CommitClock;
import io.outboxcdc.cli.demo.DemoSchema;
import io.outboxcdc.cli.demo.EventReader;
import io.outboxcdc.cli.demo.OrderWriters;
import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.client.ledger.Verdict;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StackProcess;
import io.outboxcdc.stack.StartupProgress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A plain outbox becomes a partitioned one while orders are written and the connector reads; then what it was goes. What
 * would break: an event that falls between the two tables, or overtakes one of its aggregate.
 */
class PartitionMoveUnderLoadIT {

    private static final int EVENTS = 4_000;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration AFTER_A_RESTART = Duration.ofMinutes(3);

    /** With a connector that is down, all rows are decoded when the tables have changed places already. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsLostAndTheOrderIsKept(boolean connectorIsDown) throws Exception {
        try (OutboxPipeline pipeline =
                OutboxPipeline.start(TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT)) {
            OutboxTable outbox = new OutboxTable(pipeline.stack().postgres());
            StackProcess worker = pipeline.stack().connectProcess();
            Ledger ledger = new Ledger();
            try (DemoSchema schema = DemoSchema.create(pipeline.stack().postgres());
                    EventReader reader = EventReader.start(
                            pipeline.stack().bootstrapServers(),
                            event -> event.id()
                                    .ifPresent(
                                            event.deadLetterReason().isPresent()
                                                    ? ledger::seenAsDeadLetter
                                                    : ledger::seen));
                    OrderWriters writers =
                            OrderWriters.start(pipeline.stack().postgres(), ledger, new CommitClock(), EVENTS, 500)) {
                awaitCommitted(ledger, EVENTS / 6);
                outbox.execute(script("1_prepare"));
                if (connectorIsDown) {
                    worker.kill();
                }
                awaitCommitted(ledger, EVENTS / 3);
                outbox.execute(script("2_swap"));
                long swapped = ledger.verdict().committed();
                awaitCommitted(ledger, swapped + EVENTS / 6);
                if (connectorIsDown) {
                    worker.start();
                }

                assertThat(writers.await(AFTER_A_RESTART)).isTrue();
                assertThat(swapped).as("committed before the swap").isLessThan(EVENTS);
                await().atMost(AFTER_A_RESTART).until(() -> ledger.outstanding() == 0);
                assertThat(reader.awaitCaughtUp(SOON)).isTrue();
            }
            assertThat(ledger.verdict()).isEqualTo(new Verdict(EVENTS, 0, 0, 0, 0, 0));
            whatItWasGoesByTheCommandLine(pipeline, outbox);
        }
    }

    private static void whatItWasGoesByTheCommandLine(OutboxPipeline pipeline, OutboxTable outbox) throws Exception {
        outbox.execute("UPDATE outbox_partition SET range_to = now() - interval '30 days'"
                + " WHERE partition_name = 'outbox_unpartitioned'");
        String url = pipeline.stack().postgres().jdbcUrlWithoutPassword();
        Map<String, String> password =
                Map.of("PGPASSWORD", pipeline.stack().postgres().password());

        // The heartbeat's position has to be confirmed, too.
        await().atMost(SOON).until(() -> {
            Outboxctl maintain = Outboxctl.startWith(password, "maintain", "--jdbc-url", url);
            assertThat(maintain.awaitExit(SOON)).as(maintain.everything()).isZero();
            return maintain.output().contains("dropped outbox_unpartitioned: slot outbox had confirmed");
        });
    }

    private static void awaitCommitted(Ledger ledger, long events) {
        await().atMost(SOON).until(() -> ledger.verdict().committed() >= events);
    }

    private static String script(String step) throws IOException {
        return Files.readString(TestHome.path().resolve("sql/migrations/outbox_to_partitions_" + step + ".sql"));
    }
}
