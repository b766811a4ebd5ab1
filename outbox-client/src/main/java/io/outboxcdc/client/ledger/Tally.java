package io.outboxcdc.client.ledger;

import java.util.Map;

/**
 * What a judge counted.
 *
 * @param committed rows that were judged
 * @param found rows or records by kind of finding; a kind that is not there was not found
 * @param sentAgain events seen as a dead letter and in their topic; not a fault where dead letters are sent again
 * @param withoutSequence events whose order was not judged, since the database's order of them is not known
 * @param spreadAggregates aggregates with events in several lanes, between which no order is judged
 */
public record Tally(
        long committed, Map<Finding.Kind, Long> found, long sentAgain, long withoutSequence, long spreadAggregates) {

    /** A copy of the counts. */
    public Tally {
        found = Map.copyOf(found);
    }

    /** How many rows or records were found to be of this kind. */
    public long count(Finding.Kind kind) {
        return found.getOrDefault(kind, 0L);
    }
}
