package io.outboxcdc.client.ledger;

/**
 * The unit within which events keep their order.
 *
 * @param type the aggregate's type, which chooses the topic
 * @param id the aggregate's id, which is the record's key
 */
public record Aggregate(String type, String id) {}
