package io.outboxcdc.it.inbox;

import io.outboxcdc.client.inbox.InboxCounts;
import io.outboxcdc.client.inbox.MessageHandler;
import org.junit.jupiter.api.Test;

import java.sql.PreparedStatement;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What would break: an effect that is missing, there twice or out of order. */
class InboxConsumerIT extends ConsumerFixture {

    @Test
    void everyMessageHasOneEffectInTheOrderOfItsKey() throws Exception {
        send(10, 50);
        send(10, 50);
        try (Running consumer = consume(new Effects(name))) {
            awaitNoLag();
            assertThat(consumer.isAlive()).isTrue();
            assertThat(consumer.counts())
                    .as(consumer.counts().toString())
                    .extracting(InboxCounts::handled)
                    .isEqualTo(500L);
            assertThat(consumer.counts().repeats()).isEqualTo(500);
        }
        assertThat(stack.effects(name)).isEqualTo(500);
        assertThat(stack.keysOutOfOrder(name)).isEmpty();
    }

    @Test
    void whatIsDeliveredAgainHasNoSecondEffect() throws Exception {
        send(10, 10);
        stack.send(name, "k", null, "1");
        stack.flush();
        try (Running consumer = consume(new Effects(name))) {
            awaitNoLag();
            assertThat(consumer.counts().withoutId()).isEqualTo(1);
        }

        try (Running again = consume(new Effects(name), builder -> builder.kafka("group.id", name + "-2"))) {
            await().atMost(SOON).until(() -> again.counts().repeats() == 101);
            assertThat(again.counts().handled()).isZero();
        }
        assertThat(stack.effects(name)).isEqualTo(101);
    }

    @Test
    void whileTheDatabaseIsAwayNoOffsetMovesAndNoAttemptCounts() throws Exception {
        try (Running consumer = consume(new Effects(name))) {
            send(5, 10);
            awaitEffects(50);
            awaitNoLag();

            stack.parts().postgresProcess().orElseThrow().stop();
            send(5, 10);
            for (int n = 11; n <= 20; n++) {
                for (int key = 0; key < 5; key++) {
                    stack.send(name, "k" + key, n);
                }
            }
            stack.flush();
            await().atMost(SOON).until(() -> consumer.counts().databaseTroubles() > 2);
            assertThat(stack.lag(name, name)).isEqualTo(100);
            stack.parts().postgresProcess().orElseThrow().start();

            awaitEffects(100);
            awaitNoLag();
            assertThat(consumer.counts().failures()).isZero();
            assertThat(consumer.isAlive()).isTrue();
        }
        assertThat(stack.keysOutOfOrder(name)).isEmpty();
    }

    @Test
    void aSessionThatEndsWhileAHandlerRunsIsNotTheMessagesFault() throws Exception {
        AtomicBoolean once = new AtomicBoolean();
        Effects effects = new Effects(name);
        MessageHandler handler = (connection, message) -> {
            effects.handle(connection, message);
            if (once.compareAndSet(false, true)) {
                try (PreparedStatement suicide =
                        connection.prepareStatement("SELECT pg_terminate_backend(pg_backend_pid())")) {
                    suicide.execute();
                }
            }
        };
        try (Running consumer = consume(handler)) {
            send(3, 10);
            awaitEffects(30);
            assertThat(consumer.counts().failures()).isZero();
            assertThat(consumer.counts().databaseTroubles()).isEqualTo(1);
        }
        assertThat(stack.keysOutOfOrder(name)).isEmpty();
    }

    @Test
    void storedFirstTheyAreHandledInTheOrderOfTheirKeysBySeveralWorkers() throws Exception {
        ConcurrentLinkedQueue<String> failedOnce = new ConcurrentLinkedQueue<>();
        Effects effects = new Effects(name);
        MessageHandler handler = (connection, message) -> {
            effects.handle(connection, message);
            if (message.id().endsWith("9") && !failedOnce.contains(message.id())) {
                failedOnce.add(message.id());
                throw new IllegalStateException("once");
            }
        };
        send(30, 50);
        send(30, 50);
        try (Running consumer = consume(handler, builder -> builder.storeFirst().workers(3))) {
            awaitEffects(1_500);
            awaitNoLag();
            assertThat(consumer.counts().stored()).isEqualTo(1_500);
            assertThat(consumer.counts().repeats()).isEqualTo(1_500);
            await().atMost(SOON).until(() -> stack.waiting(name).isEmpty());
        }
        assertThat(stack.keysOutOfOrder(name)).isEmpty();
        assertThat(stack.effects(name)).isEqualTo(1_500);
    }

    @Test
    void rebalancesUnderLoadNeitherRepeatNorSkipNorReorder() throws Exception {
        Effects effects = new Effects(name);
        try (Running steady = consume(effects)) {
            for (int round = 0; round < 5; round++) {
                int first = round * 100 + 1;
                try (Running passing = consume(effects)) {
                    IntStream.range(first, first + 100)
                            .forEach(n -> IntStream.range(0, 10).forEach(key -> stack.send(name, "k" + key, n)));
                    stack.flush();
                    await().atMost(SOON)
                            .until(() -> passing.counts().handled() > 0 || stack.effects(name) == (first + 99) * 10L);
                }
            }
            awaitEffects(5_000);
            assertThat(steady.isAlive()).isTrue();
        }
        assertThat(stack.keysOutOfOrder(name)).isEmpty();
    }
}
