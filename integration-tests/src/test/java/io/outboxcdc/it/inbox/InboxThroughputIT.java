package io.outboxcdc.it.inbox;

import io.outboxcdc.client.inbox.Inbox;
import io.outboxcdc.client.inbox.InboxConsumerBuilder;
import io.outboxcdc.client.inbox.InboxRetention;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Prints how fast the inbox is with an empty effect. Nothing about the figures is asserted: they are the machine's. */
@Tag("benchmark")
class InboxThroughputIT {

    private static final int MESSAGES = Integer.getInteger("inbox.throughput.messages", 40_000);
    private static final int ONE_BY_ONE = MESSAGES / 20;
    private static final String TOPIC = "throughput";

    @Test
    void printsItsFiguresSideBySide() throws Exception {
        try (InboxStack stack = InboxStack.start()) {
            stack.createTopic(TOPIC, 4);
            for (int i = 0; i < MESSAGES; i++) {
                stack.send(
                        TOPIC,
                        "k" + i % 1_000,
                        UUID.randomUUID().toString(),
                        "{\"n\": 1, \"filler\": \"" + "x".repeat(400) + "\"}");
            }
            stack.flush();
            perSecond(stack, "warm-up", builder -> builder);

            double batch = perSecond(stack, "batch", builder -> builder);
            double stored =
                    perSecond(stack, "stored", builder -> builder.storeFirst().workers(2));
            double oneByOne = oneByOne(stack);
            double bare = bare(stack);
            long begin = System.nanoTime();
            stack.execute("UPDATE inbox SET claimed_at = now() - interval '60 days' WHERE consumer = 'batch'");
            long updated = System.nanoTime();
            long forgotten = InboxRetention.of(stack.pool(), "batch", Duration.ofDays(30))
                    .forget();
            double forget = forgotten / seconds(updated);

            assertThat(forgotten).isEqualTo(MESSAGES);
            System.out.printf(
                    "inbox, empty effect, 400-byte payloads: batch %.0f/s, store then process %.0f/s, one transaction each"
                            + " %.0f/s, Kafka alone without inbox %.0f/s; batch is %.1f times one by one;"
                            + " retention forgets %.0f/s (preparing took %.1f s)%n",
                    batch, stored, oneByOne, bare, batch / oneByOne, forget, (updated - begin) / 1e9);
        }
    }

    private static double perSecond(InboxStack stack, String name, UnaryOperator<InboxConsumerBuilder> more) {
        try (Running consumer = Running.start(
                stack,
                name,
                TOPIC,
                (connection, message) -> {},
                builder -> more.apply(builder.kafka("max.poll.records", "2000").kafka("fetch.min.bytes", "100000")))) {
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> consumer.counts().handled() > 0);
            long before = consumer.counts().handled();
            long begin = System.nanoTime();
            await().atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> consumer.counts().handled() >= MESSAGES);
            return (MESSAGES - before) / seconds(begin);
        }
    }

    private static double oneByOne(InboxStack stack) throws Exception {
        Inbox inbox = Inbox.of("one-by-one");
        long begin = System.nanoTime();
        for (int i = 0; i < ONE_BY_ONE; i++) {
            inbox.handleOnce(stack.pool(), "m" + i, connection -> {});
        }
        return ONE_BY_ONE / seconds(begin);
    }

    private static double bare(InboxStack stack) {
        try (KafkaConsumer<byte[], byte[]> kafka = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        stack.bootstrapServers(),
                        "group.id",
                        "bare",
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        "false",
                        "max.poll.records",
                        "2000"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            kafka.subscribe(List.of(TOPIC));
            ConsumerRecords<byte[], byte[]> records = kafka.poll(Duration.ofSeconds(30));
            int before = records.count();
            int read = before;
            long begin = System.nanoTime();
            while (read < MESSAGES) {
                kafka.commitSync(records.nextOffsets());
                records = kafka.poll(Duration.ofSeconds(30));
                read += records.count();
            }
            return (MESSAGES - before) / seconds(begin);
        }
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }
}
