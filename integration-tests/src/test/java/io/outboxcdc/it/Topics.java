package io.outboxcdc.it;

import io.outboxcdc.stack.ConnectorStatus;
import io.outboxcdc.stack.LocalStack;
import io.outboxcdc.stack.OutboxPipeline;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Kafka's side of a test: what a {@code read_committed} consumer finds in a topic, as raw bytes. */
final class Topics implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;

    private final Runnable failure;

    /** Waiting ends at once when the pipeline's connector or its task has failed, and says why. */
    Topics(LocalStack stack) {
        this(
                stack.bootstrapServers(),
                () -> stack.connect().status(OutboxPipeline.CONNECTOR).ifPresent(ConnectorStatus::throwIfFailed));
    }

    Topics(String bootstrapServers) {
        this(bootstrapServers, () -> {});
    }

    private Topics(String bootstrapServers, Runnable failure) {
        this.failure = failure;
        Properties properties = new Properties();
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    Set<String> names() {
        return consumer.listTopics().keySet();
    }

    /** All that is committed in the topic now; none when there is no such topic. */
    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<TopicPartition> partitions = consumer.listTopics().getOrDefault(topic, List.of()).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
            return List.of();
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        var ends = consumer.endOffsets(partitions);
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(Duration.ofMillis(100)).forEach(found::add);
        }
        return found;
    }

    List<UUID> idsOf(String topic) {
        return records(topic).stream()
                .map(record -> UUID.fromString(header(record, "id")))
                .toList();
    }

    ConsumerRecord<byte[], byte[]> await(String topic, UUID id, Duration atMost) {
        return Awaitility.await(topic + " has " + id)
                .atMost(atMost)
                .until(
                        () -> {
                            failure.run();
                            return find(topic, id);
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    /** Each header as {@code name=text}, repeats included. */
    static List<String> headers(ConsumerRecord<byte[], byte[]> record) {
        return StreamSupport.stream(record.headers().spliterator(), false)
                .map(Topics::text)
                .toList();
    }

    @Override
    public void close() {
        consumer.close();
    }

    private Optional<ConsumerRecord<byte[], byte[]>> find(String topic, UUID id) {
        return records(topic).stream()
                // A dead letter may be of a row without one.
                .filter(record -> record.headers().lastHeader("id") != null)
                .filter(record -> header(record, "id").equals(id.toString()))
                .findFirst();
    }

    private static String text(Header header) {
        return header.key() + "=" + new String(header.value(), UTF_8);
    }
}
