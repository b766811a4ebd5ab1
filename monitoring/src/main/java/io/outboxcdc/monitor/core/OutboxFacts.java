package io.outboxcdc.monitor.core;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The outbox table's size, by the server's own estimates.
 *
 * @param partitions the oldest first; empty when the table is not partitioned
 * @param aheadSeconds how long rows of now and later find a partition; empty when they always do
 * @param makeAheadSeconds how far ahead upkeep has to make partitions
 */
public record OutboxFacts(
        long estimatedRows,
        long bytes,
        List<Partition> partitions,
        OptionalDouble aheadSeconds,
        double makeAheadSeconds) {

    /**
     * A partition.
     *
     * @param bounds as {@code pg_get_expr} writes them
     */
    public record Partition(String name, String bounds) {}

    /**
     * How much of what has to be made ahead is there: 1 and a little more while upkeep runs, 0 when no row can be written;
     * empty when rows always find a partition.
     */
    public OptionalDouble aheadRatio() {
        return aheadSeconds.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(0, aheadSeconds.getAsDouble()) / makeAheadSeconds);
    }
}
