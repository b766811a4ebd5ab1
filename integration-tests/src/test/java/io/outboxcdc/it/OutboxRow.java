package io.outboxcdc.it;

/**
 * A row to insert; whatever a test does not care about has a harmless value.
 *
 * @param payload JSON text
 * @param headers JSON text of an object
 */
record OutboxRow(String aggregateType, String aggregateId, String type, String payload, String headers) {

    static OutboxRow of(String aggregateType) {
        return new OutboxRow(aggregateType, "1", "Happened", "{\"a\": 1}", "{}");
    }

    OutboxRow aggregateType(String value) {
        return new OutboxRow(value, aggregateId, type, payload, headers);
    }

    OutboxRow key(String value) {
        return new OutboxRow(aggregateType, value, type, payload, headers);
    }

    OutboxRow eventType(String value) {
        return new OutboxRow(aggregateType, aggregateId, value, payload, headers);
    }

    OutboxRow payload(String value) {
        return new OutboxRow(aggregateType, aggregateId, type, value, headers);
    }

    OutboxRow headers(String value) {
        return new OutboxRow(aggregateType, aggregateId, type, payload, value);
    }
}
