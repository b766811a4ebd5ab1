package io.outboxcdc.it;

import org.jspecify.annotations.Nullable;

/**
 * A row to insert; whatever a test does not care about has a harmless value.
 *
 * @param payload JSON text
 * @param headers JSON text of an object
 */
record OutboxRow(
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        String type,
        @Nullable String payload,
        String headers) {

    static OutboxRow of(String aggregateType) {
        return new OutboxRow(aggregateType, "1", "Happened", "{\"a\": 1}", "{}");
    }

    OutboxRow aggregateType(@Nullable String value) {
        return new OutboxRow(value, aggregateId, type, payload, headers);
    }

    OutboxRow key(@Nullable String value) {
        return new OutboxRow(aggregateType, value, type, payload, headers);
    }

    OutboxRow eventType(String value) {
        return new OutboxRow(aggregateType, aggregateId, value, payload, headers);
    }

    OutboxRow payload(@Nullable String value) {
        return new OutboxRow(aggregateType, aggregateId, type, value, headers);
    }

    OutboxRow headers(String value) {
        return new OutboxRow(aggregateType, aggregateId, type, payload, value);
    }
}
