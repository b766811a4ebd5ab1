package io.outboxcdc.it.inbox;

import io.outboxcdc.client.inbox.InboxMessage;
import io.outboxcdc.client.inbox.MessageHandler;
import io.outboxcdc.client.inbox.WaitingMessages;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What would break: one bad message that stops the others, or that is lost or changed while it waits. */
class FailingMessagesIT extends ConsumerFixture {

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

    private static List<String> numbers(int last) {
        return IntStream.rangeClosed(1, last).mapToObj(Integer::toString).toList();
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
