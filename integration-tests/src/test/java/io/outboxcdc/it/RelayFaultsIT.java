package io.outboxcdc.it;

import io.outboxcdc.cli.demo.CommitClock;
import io.outboxcdc.cli.demo.DemoSchema;
import io.outboxcdc.cli.demo.EventReader;
import io.outboxcdc.cli.demo.OrderWriters;
import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.client.ledger.Verdict;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Instances of the relay that are killed and frozen under load. A {@code read_committed} consumer sees each event once, in
 * the order of its aggregate: no inbox is needed for that. What would break: the promise.
 */
class RelayFaultsIT {

    private static final Duration LATER = Duration.ofMinutes(3);
    private static final int RATE = 500;

    @TempDir
    private static Path folder;

    private static RelayStack stack;

    @SuppressWarnings("NullAway.Init") // before all tests
    RelayFaultsIT() {}

    @BeforeAll
    static void start() throws IOException, SQLException {
        stack = RelayStack.start(folder);
    }

    @AfterAll
    static void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @AfterEach
    void stopRelays() throws InterruptedException {
        stack.stopRelays();
    }

    /** What happens to the relays, over and over, while the load runs. */
    private interface Fault {
        void happen(List<RelayProcess> relays, Random random) throws Exception;
    }

    @Test
    void threeInstancesThatAreKilledAtRandomPublishEachEventOnceInOrder() throws Exception {
        undergo("killed", Duration.ofSeconds(20), killing());
    }

    @Test
    @Tag("faults")
    void threeInstancesThatAreKilledForTenMinutesPublishEachEventOnceInOrder() throws Exception {
        undergo("killed-long", Duration.ofSeconds(Long.getLong("relay.fault.seconds", 600)), killing());
    }

    @Test
    void anInstanceThatWasFrozenIsFencedWhenItGoesOn() throws Exception {
        undergo("frozen", Duration.ofSeconds(20), (relays, random) -> {
            RelayProcess frozen = relays.get(random.nextInt(relays.size()));
            long epochs = stack.number("SELECT sum(epoch) FROM outbox_shard");
            frozen.freeze();
            // Somebody else has its shards by now.
            await().atMost(LATER)
                    .until(() -> stack.number("SELECT sum(epoch) FROM outbox_shard") > epochs
                            && stack.number("SELECT count(*) FROM outbox_shard WHERE leased_until < clock_timestamp()")
                                    == 0);
            frozen.thaw();
        });
    }

    @Test
    void aBrokerThatIsKilledCostsNothing() throws Exception {
        undergo("broker", Duration.ofSeconds(10), (relays, random) -> {
            stack.parts().kafkaProcess().kill();
            stack.parts().kafkaProcess().start();
            pause(random, 4_000);
        });
    }

    @Test
    void anInstanceThatDiesBetweenTheTwoCommitsLeavesNoRepeat() throws Exception {
        OutboxTable outbox = stack.outbox();
        UUID event = outbox.insert(OutboxRow.of("between"));
        try (Topics topics = new Topics(stack.parts().bootstrapServers());
                Connection blocker = stack.parts().postgres().connect();
                Statement statement = blocker.createStatement()) {
            blocker.setAutoCommit(false);
            // Kafka's commit goes through, and the mark has to wait.
            statement.execute("SELECT FROM outbox WHERE id = '" + event + "' FOR UPDATE");
            RelayProcess dying = stack.relay("dying", Map.of()).awaitReady();
            topics.await("outbox.event.between", event, LATER);
            dying.kill();
            // The server would still do what a dead client has asked for.
            outbox.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'outbox_relay'");
            await().atMost(LATER)
                    .until(() ->
                            stack.number("SELECT count(*) FROM pg_stat_activity WHERE usename = 'outbox_relay'") == 0);
            blocker.rollback();
            assertThat(stack.number("SELECT count(*) FROM outbox WHERE published_at IS NULL"))
                    .isEqualTo(1);

            RelayProcess next = stack.relay("next", Map.of()).awaitReady();

            await().atMost(LATER)
                    .until(() -> stack.number("SELECT count(*) FROM outbox WHERE published_at IS NULL") == 0);
            assertThat(next.metric("outbox_relay_recovered_total")).isEqualTo(1);
            UUID follower = outbox.insert(OutboxRow.of("between"));
            topics.await("outbox.event.between", follower, LATER);
            assertThat(topics.idsOf("outbox.event.between")).containsExactly(event, follower);
        }
    }

    @Test
    void aNoteThatIsOfOtherEventsMarksNone() throws Exception {
        OutboxTable outbox = stack.outbox();
        RelayProcess first = stack.relay("before-restore", Map.of()).awaitReady();
        try (Topics topics = new Topics(stack.parts().bootstrapServers())) {
            topics.await("outbox.event.restored", outbox.insert(OutboxRow.of("restored")), LATER);
            await().atMost(LATER)
                    .until(() -> stack.number("SELECT count(*) FROM outbox WHERE published_at IS NULL") == 0);
            first.stop();
            // As after a restore of the database to the moment before: other events get the same numbers.
            long seq = stack.number("SELECT seq FROM outbox WHERE aggregate_type = 'restored'");
            outbox.execute("DELETE FROM outbox WHERE aggregate_type = 'restored'");
            outbox.execute("UPDATE outbox_shard SET batch = greatest(batch - 1, 0)");
            outbox.execute("SELECT setval('outbox_seq_seq', " + seq + ", false)");
            UUID other = outbox.insert(OutboxRow.of("restored"));

            RelayProcess second = stack.relay("after-restore", Map.of()).awaitReady();

            topics.await("outbox.event.restored", other, LATER);
            assertThat(second.metric("outbox_relay_recovered_total")).isZero();
        }
    }

    private static Fault killing() {
        return (relays, random) -> {
            relays.get(random.nextInt(relays.size())).killAndRestart();
            pause(random, 3_000);
        };
    }

    private static void undergo(String name, Duration faults, Fault fault) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int events = (int) faults.toSeconds() * RATE;
        Ledger ledger = new Ledger();
        List<RelayProcess> relays = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            relays.add(stack.relay(name + i, Map.of()).awaitReady());
        }
        try (DemoSchema schema = DemoSchema.create(stack.parts().postgres());
                EventReader reader = EventReader.start(
                        stack.parts().bootstrapServers(), event -> event.id().ifPresent(ledger::seen));
                OrderWriters writers =
                        OrderWriters.start(stack.parts().postgres(), ledger, new CommitClock(), events, RATE)) {
            long end = System.nanoTime() + faults.toNanos();
            int happened = 0;
            while (System.nanoTime() < end) {
                fault.happen(relays, random);
                happened++;
            }
            assertThat(writers.await(LATER)).isTrue();
            awaitOutstanding(ledger, seed);
            // What would come twice has come by now: a last event of each shard, behind all others.
            UUID last = stack.outbox().insert(OutboxRow.of("last-of-" + name));
            try (Topics topics = new Topics(stack.parts().bootstrapServers())) {
                topics.await("outbox.event.last-of-" + name, last, LATER);
            }
            assertThat(reader.awaitCaughtUp(LATER)).isTrue();
            assertThat(ledger.verdict())
                    .as("seed %d, %d faults%n%s", seed, happened, stack.logs())
                    .isEqualTo(new Verdict(events, 0, 0, 0, 0, 0));
            System.out.printf(
                    "relay: %s, %d events, %d faults: none lost, repeated or out of order%n", name, events, happened);
        }
    }

    /** A slow machine takes its time; only one on which nothing happens any more is a fault. */
    private static void awaitOutstanding(Ledger ledger, long seed) {
        for (long left = ledger.outstanding(); left > 0; left = ledger.outstanding()) {
            long before = left;
            await("less than " + before + " outstanding, seed " + seed)
                    .atMost(LATER)
                    .until(() -> ledger.outstanding() < before);
        }
    }

    private static void pause(Random random, int most) throws InterruptedException {
        Thread.sleep(random.nextInt(most));
    }
}
