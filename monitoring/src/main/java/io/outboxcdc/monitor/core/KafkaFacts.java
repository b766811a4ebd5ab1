package io.outboxcdc.monitor.core;

import java.time.Instant;
import java.util.Optional;

/**
 * What a reader of Kafka has seen of a connector.
 *
 * @param newestHeartbeat the time in the newest heartbeat record that a read_committed reader got
 * @param deadLetters records in the dead-letter topic since the monitor first looked
 */
public record KafkaFacts(Optional<Instant> newestHeartbeat, long deadLetters) {}
