package io.outboxcdc.relay.database;

/**
 * The right to publish the events of a shard. It is over as soon as the shard has another epoch.
 *
 * @param epoch how often the shard has been taken over
 */
public record Lease(int shard, long epoch) {}
