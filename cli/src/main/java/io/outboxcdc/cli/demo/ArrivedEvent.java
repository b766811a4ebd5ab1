package io.outboxcdc.cli.demo;

import java.util.Optional;
import java.util.UUID;

/**
 * A record that the reader took from an event topic or the dead-letter topic.
 *
 * @param id the event's id, from the {@code id} header; empty when that is not a UUID
 * @param key the record's key as text; empty when there is none
 * @param eventType the {@code eventType} header
 * @param deadLetterReason the reason code, when it came as a dead letter
 * @param receivedNanos {@link System#nanoTime()} when the poll that brought it returned
 */
public record ArrivedEvent(
        String topic,
        int partition,
        Optional<UUID> id,
        Optional<String> key,
        Optional<String> eventType,
        Optional<String> deadLetterReason,
        long receivedNanos) {}
