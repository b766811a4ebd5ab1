package io.outboxcdc.cli.verify;

import io.outboxcdc.client.ledger.Position;
import io.outboxcdc.client.ledger.Sighting;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Kafka's side: the event topics and the dead-letter topic, of which ids and positions are read and nothing else. */
final class Topics implements AutoCloseable {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration STALL = Duration.ofSeconds(60);

    /** With many partitions the default of 50 MiB for each broker would be most of the heap. */
    private static final int FETCH_BYTES = 8 << 20;

    private static final String ID_HEADER = "id";

    /** Kafka's own default is a minute, in which nothing is seen. */
    private static final String PATIENCE_MILLIS = "20000";

    /** Keys and payloads are left where they are. */
    private static final Deserializer<byte[]> NOT_LOOKED_AT = (topic, data) -> new byte[0];

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final VerifyOptions options;
    private final List<TopicPartition> lanes = new ArrayList<>();
    private final Map<TopicPartition, Integer> numbers = new HashMap<>();
    private long records;
    private long withoutId;

    private Topics(KafkaConsumer<byte[], byte[]> consumer, VerifyOptions options) {
        this.consumer = consumer;
        this.options = options;
    }

    static Topics connect(VerifyOptions options) {
        Properties properties = new Properties();
        properties.putAll(options.client());
        properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        properties.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
        properties.put(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                options.readUncommitted() ? "read_uncommitted" : "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, Integer.toString(FETCH_BYTES));
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "5000");
        properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
        try {
            return new Topics(new KafkaConsumer<>(properties, NOT_LOOKED_AT, NOT_LOOKED_AT), options);
        } catch (KafkaException e) {
            throw unreachable(e, options);
        }
    }

    /** The partitions of the topics as they are now, and the ends of what a consumer may read there. */
    Map<TopicPartition, Long> ends() {
        try {
            consumer.listTopics().forEach((topic, partitions) -> {
                if (isDeadLetter(topic) || options.topics().matcher(topic).matches()) {
                    partitions.forEach(partition -> number(new TopicPartition(topic, partition.partition())));
                }
            });
            return consumer.endOffsets(lanes);
        } catch (KafkaException e) {
            throw unreachable(e);
        }
    }

    Map<TopicPartition, Long> beginnings() {
        try {
            return consumer.beginningOffsets(lanes);
        } catch (KafkaException e) {
            throw unreachable(e);
        }
    }

    /** Where records of that time and later begin; the end where there are none. */
    Map<TopicPartition, Long> from(Instant time, Map<TopicPartition, Long> ends) {
        Map<TopicPartition, Long> starts = new HashMap<>(ends);
        firstFrom(time, ends.keySet()).forEach((partition, first) -> starts.put(partition, first.offset()));
        return starts;
    }

    /** The first record of each partition that is not older; no entry where there is none. */
    Map<TopicPartition, OffsetAndTimestamp> firstFrom(Instant time, Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, Math.max(0, time.toEpochMilli())));
        try {
            Map<TopicPartition, OffsetAndTimestamp> found = new HashMap<>();
            consumer.offsetsForTimes(times).forEach((partition, first) -> {
                if (first != null) {
                    found.put(partition, first);
                }
            });
            return found;
        } catch (KafkaException e) {
            throw unreachable(e);
        }
    }

    /**
     * Reads each partition from its start to its end.
     *
     * @param later the offsets from which on records count as {@link Sighting#later}
     */
    void read(
            Map<TopicPartition, Long> starts,
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, Long> later,
            Consumer<Sighting> sightings,
            VerifyProgress progress) {
        Set<TopicPartition> open = new HashSet<>();
        ends.forEach((partition, end) -> {
            if (starts.getOrDefault(partition, 0L) < end) {
                open.add(partition);
            }
        });
        try {
            consumer.assign(open);
            open.forEach(partition -> consumer.seek(partition, starts.getOrDefault(partition, 0L)));
            long moved = System.nanoTime();
            while (!open.isEmpty()) {
                long before = positions(open);
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                for (ConsumerRecord<byte[], byte[]> record : polled) {
                    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                    if (record.offset() < ends.getOrDefault(partition, 0L)) {
                        note(record, partition, later.getOrDefault(partition, 0L), sightings);
                        progress.count("records read", ++records);
                    }
                }
                if (positions(open) != before) {
                    moved = System.nanoTime();
                } else if (System.nanoTime() - moved > STALL.toNanos()) {
                    throw new CannotVerifyException("Nothing came from Kafka for %d s; not read to their ends are %s."
                            .formatted(STALL.toSeconds(), open));
                }
                close(open, ends);
            }
        } catch (KafkaException e) {
            throw unreachable(e);
        }
    }

    /** What the numbers of the lanes mean. */
    List<TopicPartition> lanes() {
        return List.copyOf(lanes);
    }

    Set<String> names() {
        return lanes.stream().map(TopicPartition::topic).collect(Collectors.toSet());
    }

    long records() {
        return records;
    }

    long withoutId() {
        return withoutId;
    }

    @Override
    public void close() {
        consumer.close();
    }

    private void close(Set<TopicPartition> open, Map<TopicPartition, Long> ends) {
        List<TopicPartition> done = open.stream()
                .filter(partition -> consumer.position(partition) >= ends.getOrDefault(partition, 0L))
                .toList();
        consumer.pause(done);
        done.forEach(open::remove);
    }

    private long positions(Set<TopicPartition> open) {
        return open.stream().mapToLong(consumer::position).sum();
    }

    private void note(
            ConsumerRecord<byte[], byte[]> record, TopicPartition partition, long later, Consumer<Sighting> sightings) {
        Optional<UUID> id = id(record.headers().lastHeader(ID_HEADER));
        if (id.isEmpty()) {
            withoutId++;
            return;
        }
        sightings.accept(new Sighting(
                id.get(),
                new Position(number(partition), record.offset()),
                isDeadLetter(record.topic()),
                record.offset() >= later));
    }

    private int number(TopicPartition partition) {
        return numbers.computeIfAbsent(partition, added -> {
            lanes.add(added);
            return lanes.size() - 1;
        });
    }

    private boolean isDeadLetter(String topic) {
        return topic.equals(options.deadLetterTopic());
    }

    private static Optional<UUID> id(@Nullable Header header) {
        if (header == null || header.value() == null) {
            return Optional.empty();
        }
        String text = new String(header.value(), StandardCharsets.UTF_8);
        // Connect's JsonConverter as header converter puts it between quotes.
        return EventId.parse(
                text.startsWith("\"") && text.endsWith("\"") && text.length() > 1
                        ? text.substring(1, text.length() - 1)
                        : text);
    }

    private CannotVerifyException unreachable(KafkaException e) {
        return unreachable(e, options);
    }

    private static CannotVerifyException unreachable(KafkaException e, VerifyOptions options) {
        Throwable cause = e.getCause() instanceof KafkaException ? e.getCause() : e;
        return new CannotVerifyException(
                "Kafka cannot be read at %s: %s"
                        .formatted(
                                options.client().getProperty(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG),
                                cause.getMessage()),
                e);
    }
}
