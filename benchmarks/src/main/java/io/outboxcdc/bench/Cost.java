package io.outboxcdc.bench;

/**
 * What a router takes for one record, the making of the record included.
 *
 * @param nanos median time, in nanoseconds
 * @param bytes median allocation, in bytes
 */
public record Cost(double nanos, double bytes) {}
