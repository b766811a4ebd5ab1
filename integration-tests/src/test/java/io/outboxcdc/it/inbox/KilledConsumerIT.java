package io.outboxcdc.it.inbox;

import io.outboxcdc.client.outbox.Outbox;
import io.outboxcdc.client.outbox.OutboxEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * From the writer's transaction to the consumer's, while processes die. What would break: the one promise that the whole
 * project is for.
 */
class KilledConsumerIT {

    private static final Duration LATER = Duration.ofMinutes(3);
    private static final int KEYS = 20;

    /** How far the writer may be ahead: it is faster than consumers that fail now and then. */
    private static final int MOST_WAITING = 10_000;

    /** Ten minutes with the long fault matrix; here as long as an ordinary build may take. */
    private static final Duration FAULTS = Duration.ofSeconds(Long.getLong("inbox.fault.seconds", 20));

    private static InboxStack stack;

    @TempDir
    private Path logs;

    @SuppressWarnings("NullAway.Init") // before each test
    KilledConsumerIT() {}

    @BeforeAll
    static void start() throws SQLException {
        stack = InboxStack.start();
    }

    @AfterAll
    static void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void aProcessThatDiesBetweenTheTwoCommitsLeavesRepeatsWithoutEffect() throws Exception {
        stack.createTopic("between", 2);
        for (int n = 1; n <= 50; n++) {
            for (int key = 0; key < KEYS; key++) {
                stack.send("between", "k" + key, n);
            }
        }
        stack.flush();
        try (ConsumerProcess dying = ConsumerProcess.start(
                stack, "between", "between", logs.resolve("dying.log"), Map.of("HALT_AFTER_COMMITS", "2"))) {
            assertThat(dying.exitCode()).isEqualTo(137);
        }
        long committed = stack.effects("between");
        assertThat(committed).isPositive().isLessThan(50 * KEYS);
        assertThat(50 * KEYS - stack.lag("between", "between"))
                .as("the last commit of the database is ahead of the offsets")
                .isLessThan(committed);

        try (ConsumerProcess next =
                ConsumerProcess.start(stack, "between", "between", logs.resolve("next.log"), Map.of())) {
            await().atMost(LATER).until(() -> stack.lag("between", "between") == 0);
            assertThat(next.isAlive()).isTrue();
        }
        assertThat(stack.effects("between")).isEqualTo(50 * KEYS);
        assertThat(stack.keysOutOfOrder("between")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyCommittedEventHasOneEffectInOrderWhileConsumersAndWorkerAreKilled(boolean storeFirst) throws Exception {
        String name = storeFirst ? "stored" : "handled";
        Map<String, String> how = Map.of("FAILURES", "0.002", "STORE_FIRST", Boolean.toString(storeFirst));
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int rounds = 0;
        List<ConsumerProcess> consumers = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                consumers.add(ConsumerProcess.start(
                        stack, name, "outbox.event." + name, logs.resolve(name + i + ".log"), how));
            }
            long end = System.nanoTime() + FAULTS.toNanos();
            long nextKill = System.nanoTime();
            boolean workerWasKilled = false;
            while (System.nanoTime() < end) {
                writeRound(name, ++rounds);
                if (rounds % 20 == 0) {
                    awaitEffects(name, (long) rounds * KEYS - MOST_WAITING, seed);
                }
                if (System.nanoTime() > nextKill) {
                    consumers.get(random.nextInt(2)).killAndRestart();
                    nextKill = System.nanoTime()
                            + Duration.ofMillis(1_000 + random.nextInt(6_000)).toNanos();
                }
                if (!workerWasKilled && System.nanoTime() > end - FAULTS.toNanos() / 2) {
                    workerWasKilled = true;
                    stack.parts().connectProcess().kill();
                    stack.parts().connectProcess().start();
                }
            }
            long expected = (long) rounds * KEYS;
            awaitEffects(name, expected, seed);
            await().atMost(LATER).until(() -> stack.waiting(name).isEmpty());
            assertThat(stack.effects(name)).as("seed %d", seed).isEqualTo(expected);
            assertThat(stack.keysOutOfOrder(name)).as("seed %d", seed).isEmpty();
        } finally {
            consumers.forEach(ConsumerProcess::close);
        }
        System.out.printf("%s: %d events, each one effect, in order%n", name, rounds * KEYS);
    }

    /** A slow machine takes its time; only one on which nothing happens any more is a fault. */
    private static void awaitEffects(String name, long expected, long seed) throws SQLException {
        for (long seen = stack.effects(name); seen < expected; seen = stack.effects(name)) {
            long before = seen;
            await("effect " + before + " of " + expected + ", seed " + seed)
                    .atMost(LATER)
                    .until(() -> {
                        stack.throwIfPipelineFailed();
                        return stack.effects(name) > before;
                    });
        }
    }

    /** One event of each key; half of the rounds are rolled back first. The writer's count is the judge. */
    private static void writeRound(String type, int number) throws SQLException {
        Outbox outbox = Outbox.create();
        List<OutboxEvent> events = IntStream.range(0, KEYS)
                .mapToObj(key ->
                        OutboxEvent.of(type, "k" + key).withEventType("Counted").withPayload(Map.of("n", number)))
                .toList();
        try (Connection connection = stack.pool().getConnection()) {
            connection.setAutoCommit(false);
            if (number % 2 == 0) {
                outbox.append(connection, events);
                connection.rollback();
            }
            outbox.append(connection, events);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }
}
