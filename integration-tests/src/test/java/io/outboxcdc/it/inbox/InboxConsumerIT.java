package io.outboxcdc.it.inbox;

import io.outboxcdc.client.inbox.InboxConsumerBuilder;
import io.outboxcdc.client.inbox.InboxCounts;
import io.outboxcdc.client.inbox.InboxMessage;
import io.outboxcdc.client.inbox.MessageHandler;
import io.outboxcdc.client.inbox.RetryPolicy;
import io.outboxcdc.client.inbox.WaitingMessages;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What would break: an effect that is missing, there twice or out of order, or one bad message that stops the others. */
class InboxConsumerIT {

    private static final Duration SOON = Duration.ofSeconds(40);
    private static final RetryPolicy QUICK =
            RetryPolicy.forever().withDelays(Duration.ofMillis(50), Duration.ofMillis(200));

    private static InboxStack stack;

    /** The topic of a test, and the name of its consumer. */
    private String name;

    @SuppressWarnings("NullAway.Init") // before each test
    InboxConsumerIT() {}

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

    @BeforeEach
    void createTopic(TestInfo test) throws Exception {
        name = test.getTestMethod().orElseThrow().getName();
        stack.createTopic(name, 3);
    }

    private Running consume(MessageHandler handler, UnaryOperator<InboxConsumerBuilder> more) {
        return Running.start(stack, name, name, handler, builder -> more.apply(builder.retry(QUICK)));
    }

    private Running consume(MessageHandler handler) {
        return consume(handler, builder -> builder);
    }

    private void send(int keys, int numbers) {
        for (int n = 1; n <= numbers; n++) {
            for (int key = 0; key < keys; key++) {
                stack.send(name, "k" + key, n);
            }
        }
        stack.flush();
    }

    private void awaitEffects(long number) {
        await().atMost(SOON).untilAsserted(() -> assertThat(stack.effects(name)).isEqualTo(number));
    }

    private void awaitNoLag() {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(stack.lag(name, name)).isZero());
    }

    private static List<String> numbers(int last) {
        return IntStream.rangeClosed(1, last).mapToObj(Integer::toString).toList();
    }

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
    void aMessageThatFailsHoldsItsKeyInOrderWhileOthersFlowAndTheOffsetMovesOn() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        Effects effects = new Effects(name);
        MessageHandler handler = (connection, message) -> {
            effects.handle(connection, message);
            if (broken.get() && message.id().equals("k1/2")) {
                throw new IllegalStateException("not yet");
            }
        };
        try (Running consumer = consume(handler)) {
            send(5, 20);

            awaitNoLag();
            awaitEffects(4 * 20 + 1);
            assertThat(stack.effects(name, "k1")).containsExactly("1");
            assertThat(stack.waiting(name))
                    .isEqualTo(IntStream.rangeClosed(2, 20)
                            .mapToObj(n -> "k1/" + n)
                            .toList());
            await().atMost(SOON).until(() -> consumer.counts().failures() > 3);
            send(1, 20);
            stack.send(name, "k1", 21);
            stack.flush();
            awaitNoLag();
            assertThat(stack.waiting(name)).hasSize(20).endsWith("k1/21");

            broken.set(false);
            awaitEffects(5 * 20 + 1);
            await().atMost(SOON).until(() -> stack.waiting(name).isEmpty());
            stack.send(name, "k1", 22);
            awaitEffects(5 * 20 + 2);
            assertThat(stack.effects(name, "k1")).isEqualTo(numbers(22));
        }
        assertThat(stack.keysOutOfOrder(name)).isEmpty();
    }

    @Test
    void keysThatFailNowAndThenKeepTheirOrderAmongMany() throws Exception {
        ConcurrentLinkedQueue<String> failedOnce = new ConcurrentLinkedQueue<>();
        Effects effects = new Effects(name);
        MessageHandler handler = (connection, message) -> {
            effects.handle(connection, message);
            if (message.id().endsWith("7") && !failedOnce.contains(message.id())) {
                failedOnce.add(message.id());
                throw new IllegalStateException("once");
            }
        };
        try (Running consumer = consume(handler, builder -> builder.workers(3))) {
            send(20, 40);
            awaitEffects(800);
            assertThat(consumer.counts().failures()).isPositive();
        }
        assertThat(stack.keysOutOfOrder(name)).isEmpty();
        assertThat(stack.waiting(name)).isEmpty();
    }

    @Test
    void aMessageIsParkedAfterItsAttemptsUntilAPersonDecides() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        Effects effects = new Effects(name);
        MessageHandler handler = (connection, message) -> {
            if (broken.get() && Effects.number(message) == 2) {
                throw new IllegalStateException("never");
            }
            effects.handle(connection, message);
        };
        WaitingMessages waiting = WaitingMessages.of(stack.pool(), name);
        try (Running consumer = consume(handler, builder -> builder.retry(QUICK.parkAfter(3)))) {
            send(2, 3);
            await().atMost(SOON)
                    .until(() -> waiting.failed(10).stream()
                                    .filter(WaitingMessages.Failed::parked)
                                    .count()
                            == 2);
            assertThat(consumer.counts().failures()).isEqualTo(6);
            assertThat(waiting.failed(10)).allSatisfy(failed -> {
                assertThat(failed.attempts()).isEqualTo(3);
                assertThat(failed.lastError()).hasValue("java.lang.IllegalStateException: never");
                assertThat(failed.message().valueText()).hasValue("2");
            });
            assertThat(stack.waiting(name)).hasSize(4);

            assertThat(waiting.discard("k0/2")).isTrue();
            await().atMost(SOON).until(() -> stack.effects(name, "k0").equals(List.of("1", "3")));
            assertThat(stack.effects(name, "k1")).containsExactly("1");

            broken.set(false);
            assertThat(waiting.retryParked()).isEqualTo(1);
            await().atMost(SOON).until(() -> stack.effects(name, "k1").equals(numbers(3)));
            assertThat(waiting.retry("k1/2")).isFalse();
            assertThat(waiting.discard("k1/2")).isFalse();
        }
        // What was discarded stays so: its claim is there.
        try (Running again = consume(handler, builder -> builder.kafka("group.id", name + "-2"))) {
            await().atMost(SOON).until(() -> again.counts().repeats() == 6);
        }
        assertThat(stack.effects(name)).isEqualTo(5);
    }

    @Test
    void aMessageBecomesADeadLetterAfterItsAttemptsAndItsKeyGoesOn() throws Exception {
        Effects effects = new Effects(name);
        MessageHandler handler = (connection, message) -> {
            effects.handle(connection, message);
            if (message.id().equals("k1/2")) {
                throw new IllegalStateException("never");
            }
        };
        stack.createTopic(name + "-dead", 1);
        try (Running consumer = consume(handler, builder -> builder.retry(QUICK.deadLetterAfter(3, name + "-dead")))) {
            send(2, 4);

            await().atMost(SOON).until(() -> stack.effects(name, "k1").equals(List.of("1", "3", "4")));
            assertThat(consumer.counts().failures()).isEqualTo(3);
            assertThat(consumer.counts().deadLetters()).isEqualTo(1);
        }
        assertThat(stack.waiting(name)).isEmpty();
        List<ConsumerRecord<byte[], byte[]>> letters = records(name + "-dead");
        assertThat(letters).hasSize(1);
        ConsumerRecord<byte[], byte[]> letter = letters.get(0);
        assertThat(new String(letter.key(), UTF_8)).isEqualTo("k1");
        assertThat(new String(letter.value(), UTF_8)).isEqualTo("2");
        assertThat(header(letter, "id")).isEqualTo("k1/2");
        assertThat(header(letter, "outbox.error.reason")).isEqualTo("HANDLER_FAILED");
        assertThat(header(letter, "outbox.error.message")).contains(name).contains("3 attempts");
        assertThat(header(letter, "outbox.source.place")).matches(name + "-\\d@\\d+");
    }

    @Test
    void everyShapeOfARecordComesBackFromTheTableAsItWas() throws Exception {
        ConcurrentLinkedQueue<InboxMessage> seen = new ConcurrentLinkedQueue<>();
        MessageHandler handler = (connection, message) -> {
            seen.add(message);
            if (seen.stream().filter(other -> other.id().equals(message.id())).count() < 3) {
                throw new IllegalStateException("until it came from the table");
            }
        };
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        List<ProducerRecord<byte[], byte[]>> records = List.of(
                new ProducerRecord<>(name, 0, 1_700_000_000_123L, bytes, bytes),
                new ProducerRecord<>(name, 0, 1_700_000_000_123L, (byte[]) null, (byte[]) null),
                new ProducerRecord<>(name, 0, 1_700_000_000_123L, new byte[0], new byte[0]));
        for (int i = 0; i < records.size(); i++) {
            ProducerRecord<byte[], byte[]> record = records.get(i);
            record.headers()
                    .add("id", ("m" + i).getBytes(UTF_8))
                    .add("größe", "é".getBytes(UTF_8))
                    .add("twice", bytes)
                    .add("twice", null)
                    .add("empty", new byte[0]);
            stack.send(record);
        }
        stack.flush();
        try (Running consumer = consume(handler)) {
            await().atMost(SOON).until(() -> consumer.counts().handled() == 3);
        }

        for (int i = 0; i < records.size(); i++) {
            String id = "m" + i;
            assertThat(seen)
                    .filteredOn(message -> message.id().equals(id))
                    .hasSizeGreaterThan(2)
                    .first()
                    .satisfies(first -> assertThat(seen)
                            .filteredOn(message -> message.id().equals(id))
                            .allSatisfy(other ->
                                    assertThat(other).usingRecursiveComparison().isEqualTo(first)));
        }
    }

    @Test
    void aHandlerThatSwallowsTheDatabasesErrorOrBreaksADeferredConstraintHasFailed() throws Exception {
        stack.execute("CREATE TABLE parent (id int PRIMARY KEY)");
        stack.execute("CREATE TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
        Effects effects = new Effects(name);
        MessageHandler handler = (connection, message) -> {
            effects.handle(connection, message);
            try (Statement statement = connection.createStatement()) {
                if (message.id().equals("k1/2")) {
                    statement.execute("INSERT INTO child VALUES (1)");
                } else if (message.id().equals("k2/2")) {
                    statement.execute("SELECT 1 / 0");
                }
            } catch (SQLException swallowed) {
                return;
            }
        };
        try (Running consumer = consume(handler)) {
            send(5, 3);
            awaitNoLag();
            awaitEffects(3 * 3 + 2);
            assertThat(stack.waiting(name)).containsExactlyInAnyOrder("k1/2", "k1/3", "k2/2", "k2/3");
            assertThat(consumer.counts().databaseTroubles()).isZero();

            stack.execute("INSERT INTO parent VALUES (1)");
            awaitEffects(4 * 3 + 1);
            assertThat(stack.effects(name, "k1")).isEqualTo(numbers(3));
        }
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

    private static List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", stack.bootstrapServers(), "enable.auto.commit", false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            reader.assign(List.of(partition));
            reader.seekToBeginning(List.of(partition));
            long end = requireNonNull(reader.endOffsets(List.of(partition)).get(partition));
            List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
            while (reader.position(partition) < end) {
                reader.poll(Duration.ofMillis(100)).forEach(found::add);
            }
            return found;
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String header) {
        return new String(record.headers().lastHeader(header).value(), UTF_8);
    }
}
