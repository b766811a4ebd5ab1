package io.outboxcdc.monitor.core;

import java.util.List;

/**
 * The outbox table's size, by the server's own estimates.
 *
 * @param partitions the oldest first; empty when the table is not partitioned
 */
public record OutboxFacts(long estimatedRows, long bytes, List<Partition> partitions) {

    /**
     * A partition.
     *
     * @param bounds as {@code pg_get_expr} writes them
     */
    public record Partition(String name, String bounds) {}
}
