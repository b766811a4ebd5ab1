package io.outboxcdc.cli.verify;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;

/**
 * Up to when the topics may have dropped records. A row that was not seen and is older may have been delivered and
 * dropped, so that nothing can be said about it.
 *
 * @param droppedUntil empty when every partition still begins at its first record, and none is compacted
 * @param reason which topic it is, for a person; empty when there is none
 */
record Retention(Optional<Instant> droppedUntil, String reason) {

    /** Clocks of databases, workers and brokers differ. */
    static final Duration CLOCKS = Duration.ofHours(1);

    static final Retention OF_ALL = new Retention(Optional.empty(), "");

    static Retention of(Topics topics, Properties client, Map<TopicPartition, Long> beginnings, Instant now)
            throws InterruptedException {
        Map<String, Config> configs = configs(topics, client);
        Map<TopicPartition, Instant> firsts = new HashMap<>();
        topics.firstFrom(Instant.EPOCH, beginnings.keySet())
                .forEach((partition, first) -> firsts.put(partition, Instant.ofEpochMilli(first.timestamp())));
        Retention worst = OF_ALL;
        for (Map.Entry<TopicPartition, Long> beginning : beginnings.entrySet()) {
            TopicPartition partition = beginning.getKey();
            Instant first = firsts.getOrDefault(partition, now);
            worst = worst.worse(of(partition, beginning.getValue() > 0, first, configs.get(partition.topic()), now));
        }
        return worst;
    }

    static Retention of(
            TopicPartition partition, boolean beginWasDropped, Instant first, @Nullable Config config, Instant now) {
        if (value(config, TopicConfig.CLEANUP_POLICY_CONFIG).contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            return new Retention(
                    Optional.of(now), "topic " + partition.topic() + " is compacted, so it drops records in between");
        }
        if (!beginWasDropped) {
            return OF_ALL;
        }
        Instant until = first;
        long kept = number(config, TopicConfig.RETENTION_MS_CONFIG);
        if (kept > 0 && number(config, TopicConfig.RETENTION_BYTES_CONFIG) == -1) {
            // Dropped were only records older than that, however late the next one came.
            Instant byTime = now.minusMillis(Math.min(kept, now.toEpochMilli()));
            until = byTime.isBefore(first) ? byTime : first;
        }
        return new Retention(
                Optional.of(until.plus(CLOCKS)), "partition " + partition + " has dropped its oldest records");
    }

    /** Microseconds since 1970, as the ledger compares them. */
    long micros() {
        return droppedUntil.map(until -> until.toEpochMilli() * 1_000).orElse(Long.MIN_VALUE);
    }

    private Retention worse(Retention other) {
        return other.micros() > micros() ? other : this;
    }

    private static Map<String, Config> configs(Topics topics, Properties client) throws InterruptedException {
        Properties properties = new Properties();
        client.forEach((name, value) -> {
            if (AdminClientConfig.configNames().contains(name.toString())) {
                properties.put(name, value);
            }
        });
        List<ConfigResource> resources = topics.names().stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        Map<String, Config> configs = new HashMap<>();
        try (Admin admin = Admin.create(properties)) {
            for (var described : admin.describeConfigs(resources).values().entrySet()) {
                try {
                    configs.put(described.getKey().name(), described.getValue().get());
                } catch (ExecutionException e) {
                    // Mostly a missing right. Without the settings, the topic's first record is the bound.
                    configs.remove(described.getKey().name());
                }
            }
        }
        return configs;
    }

    private static String value(@Nullable Config config, String name) {
        ConfigEntry entry = config == null ? null : config.get(name);
        return entry == null || entry.value() == null ? "" : entry.value();
    }

    private static long number(@Nullable Config config, String name) {
        String text = value(config, name);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }
}
