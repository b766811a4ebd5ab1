package io.outboxcdc.monitor.sample;

import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.KafkaFacts;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.ServerFacts;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All that one sample found. Immutable.
 *
 * @param duration how long taking it took
 */
public record Snapshot(
        Instant time,
        Duration duration,
        List<DatabaseStatus> databases,
        List<SlotStatus> slots,
        List<ClusterStatus> clusters) {

    /** Before the first sample. */
    public static final Snapshot NONE = new Snapshot(Instant.EPOCH, Duration.ZERO, List.of(), List.of(), List.of());

    /**
     * One database.
     *
     * @param lastKnown what the server last said; empty when it never answered
     * @param diskFullSeconds until the WAL's volume is full; empty when that is not foreseeable
     * @param preflight settings that make a fault worse
     */
    public record DatabaseStatus(
            String name,
            Reading<ServerFacts> reading,
            Optional<ServerFacts> lastKnown,
            OptionalDouble diskFullSeconds,
            List<String> preflight) {}

    /**
     * One Connect cluster.
     *
     * @param watched the connectors that slots expect
     * @param kafka by the connector's name; empty when Kafka is not watched
     */
    public record ClusterStatus(
            String name,
            Reading<Map<String, ConnectorFacts>> reading,
            List<String> watched,
            Map<String, Reading<KafkaFacts>> kafka) {}

    /** What the server of a slot last said; empty when it never answered. */
    public Optional<ServerFacts> lastKnown(ExpectedSlot slot) {
        return databases.stream()
                .filter(database -> database.name().equals(slot.database()))
                .findFirst()
                .flatMap(DatabaseStatus::lastKnown);
    }
}
