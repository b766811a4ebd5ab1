package io.outboxcdc.relay.publish;

import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the relay's Kafka clients are set to: the values of the shipped connector, others where they are given, and some
 * that no one may change.
 *
 * @param given settings of the user
 */
public record KafkaSettings(Map<String, String> given) {

    /** Without these an event could be lost, repeated, or overtaken by a later one of its aggregate. */
    private static final Map<String, String> FIXED = Map.of(
            ProducerConfig.ACKS_CONFIG, "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
            // One at a time, as Connect's producers have it: with several, the first to a partition that was just made
            // can be refused while the second is taken.
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");

    private static final Map<String, String> USUAL = Map.of(
            ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4",
            ProducerConfig.LINGER_MS_CONFIG, "0",
            ProducerConfig.BATCH_SIZE_CONFIG, "262144",
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "1048576",
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "10000");

    /** Copies the settings. */
    public KafkaSettings {
        given = Map.copyOf(given);
    }

    /** The settings that are not the user's. */
    public static Set<String> reserved() {
        Set<String> reserved = new TreeSet<>(FIXED.keySet());
        reserved.addAll(Set.of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG));
        return reserved;
    }

    Map<String, Object> producer(String transactionalId) {
        Map<String, Object> settings = new TreeMap<>(USUAL);
        settings.putAll(given);
        settings.putAll(FIXED);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, transactionalId);
        return settings;
    }

    Map<String, Object> consumer(String group) {
        Map<String, Object> settings = new HashMap<>(given);
        settings.keySet().retainAll(ConsumerConfig.configNames());
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, group);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        // An offset of a transaction that is still being completed is waited for.
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return settings;
    }

    /** The settings of the admin client. */
    public Map<String, Object> admin() {
        Map<String, Object> settings = new HashMap<>(given);
        settings.keySet().retainAll(AdminClientConfig.configNames());
        return settings;
    }
}
