package io.outboxcdc.monitor.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.KafkaFacts;
import io.outboxcdc.monitor.core.Reading;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * Sees heartbeats and dead letters as a consumer of events would, committed ones only. Belongs to no consumer group and
 * commits nothing. Not thread-safe.
 *
 * <p>The time of the newest heartbeat covers the connector, its producer and the brokers. What lies before them, from the
 * WAL to the connector, shows in the slot's confirmation.
 */
public final class KafkaReader implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int MOST_POLLS = 20;

    private final Properties settings = new Properties();
    private final Map<TopicPartition, String> connectorOf = new HashMap<>();
    private final Map<String, Instant> heartbeats = new HashMap<>();
    private final Map<String, Long> deadLetters = new HashMap<>();
    private final Set<TopicPartition> heartbeatPartitions = new HashSet<>();
    private @Nullable Consumer<byte[], byte[]> consumer;

    /** Reads with these settings of Kafka's consumer. */
    public KafkaReader(Map<String, String> kafka) {
        settings.putAll(kafka);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, PostgresReader.APPLICATION_NAME);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Long.toString(BOUND.toMillis()));
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, Long.toString(BOUND.toMillis()));
        settings.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "5000");
    }

    /** What is new since the last reading, added to what was seen before; by the connector's name. */
    public Map<String, Reading<KafkaFacts>> read(List<ConnectorFacts> connectors) {
        Map<String, Reading<KafkaFacts>> facts = new HashMap<>();
        Optional<String> failure = Optional.empty();
        try {
            Consumer<byte[], byte[]> open = open();
            assign(open, connectors);
            poll(open);
        } catch (KafkaException e) {
            failure = Optional.of("Kafka does not answer: " + e.getMessage());
        }
        for (ConnectorFacts connector : connectors) {
            facts.put(
                    connector.name(),
                    failure.<Reading<KafkaFacts>>map(Reading::unknown)
                            .orElseGet(() -> Reading.known(new KafkaFacts(
                                    Optional.ofNullable(heartbeats.get(connector.name())),
                                    deadLetters.getOrDefault(connector.name(), 0L)))));
        }
        return facts;
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close(CloseOptions.timeout(Duration.ofMillis(500)));
        }
    }

    /** The topic that Debezium writes heartbeats of a connector to. */
    static String heartbeatTopic(Map<String, String> config) {
        return config.getOrDefault("topic.heartbeat.prefix", "__debezium-heartbeat") + "."
                + config.getOrDefault("topic.prefix", "");
    }

    /** The topics of the dead letters of a connector's routers; empty without such a router. */
    static List<String> deadLetterTopics(Map<String, String> config) {
        List<String> topics = new ArrayList<>();
        for (String alias : config.getOrDefault("transforms", "").split(",", -1)) {
            String prefix = "transforms." + alias.strip() + ".";
            if ("io.outboxcdc.router.OutboxRouter".equals(config.get(prefix + "type"))) {
                topics.add(config.getOrDefault(prefix + "dead.letter.topic", "outbox.dead-letter"));
            }
        }
        return topics;
    }

    private Consumer<byte[], byte[]> open() {
        Consumer<byte[], byte[]> existing = consumer;
        if (existing == null) {
            existing = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            consumer = existing;
        }
        return existing;
    }

    /** Topics appear when they are first written to, so they are looked for until they are there. */
    private void assign(Consumer<byte[], byte[]> open, List<ConnectorFacts> connectors) {
        Map<TopicPartition, String> wanted = new HashMap<>();
        Set<TopicPartition> ofHeartbeats = new HashSet<>();
        Map<String, List<PartitionInfo>> topics = open.listTopics(BOUND);
        for (ConnectorFacts connector : connectors) {
            String heartbeat = heartbeatTopic(connector.config());
            List<String> names = new ArrayList<>(deadLetterTopics(connector.config()));
            names.add(heartbeat);
            for (String name : names) {
                for (var partition : topics.getOrDefault(name, List.of())) {
                    TopicPartition one = new TopicPartition(name, partition.partition());
                    wanted.put(one, connector.name());
                    if (name.equals(heartbeat)) {
                        ofHeartbeats.add(one);
                    }
                }
            }
        }
        Set<TopicPartition> fresh = new HashSet<>(wanted.keySet());
        fresh.removeAll(connectorOf.keySet());
        if (fresh.isEmpty() && wanted.size() == connectorOf.size()) {
            return;
        }
        open.assign(wanted.keySet());
        boolean first = connectorOf.isEmpty();
        place(open, fresh, ofHeartbeats, first);
        connectorOf.clear();
        connectorOf.putAll(wanted);
        heartbeatPartitions.clear();
        heartbeatPartitions.addAll(ofHeartbeats);
    }

    /** A little back in heartbeats, so that the last one is seen; dead letters from now on, or all of a new topic. */
    private static void place(
            Consumer<byte[], byte[]> open, Set<TopicPartition> fresh, Set<TopicPartition> ofHeartbeats, boolean first) {
        Map<TopicPartition, Long> ends = open.endOffsets(fresh, BOUND);
        Map<TopicPartition, Long> begins = open.beginningOffsets(fresh, BOUND);
        long back = 20;
        for (TopicPartition one : fresh) {
            long end = ends.getOrDefault(one, 0L);
            long begin = begins.getOrDefault(one, 0L);
            if (ofHeartbeats.contains(one)) {
                open.seek(one, Math.max(begin, end - back));
            } else {
                open.seek(one, first ? end : begin);
            }
        }
    }

    private void poll(Consumer<byte[], byte[]> open) {
        if (connectorOf.isEmpty()) {
            return;
        }
        for (int i = 0; i < MOST_POLLS; i++) {
            var records = open.poll(POLL);
            if (records.isEmpty()) {
                return;
            }
            for (ConsumerRecord<byte[], byte[]> record : records) {
                take(record);
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition from = new TopicPartition(record.topic(), record.partition());
        String connector = connectorOf.getOrDefault(from, "");
        if (!heartbeatPartitions.contains(from)) {
            deadLetters.merge(connector, 1L, Long::sum);
            return;
        }
        Instant beat = heartbeatTime(record).orElseGet(() -> Instant.ofEpochMilli(record.timestamp()));
        heartbeats.merge(connector, beat, (one, other) -> one.isAfter(other) ? one : other);
    }

    /** Debezium's {@code ts_ms}, with or without a schema around it. */
    private static Optional<Instant> heartbeatTime(ConsumerRecord<byte[], byte[]> record) {
        try {
            JsonNode json = JSON.readTree(record.value() == null ? new byte[0] : record.value());
            JsonNode time = json.has("payload") ? json.path("payload").path("ts_ms") : json.path("ts_ms");
            return time.canConvertToLong() && time.asLong() > 0
                    ? Optional.of(Instant.ofEpochMilli(time.asLong()))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
