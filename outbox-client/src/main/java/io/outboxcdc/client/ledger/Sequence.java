package io.outboxcdc.client.ledger;

import java.util.Comparator;

/**
 * The place of an event among those of its aggregate, as the database committed them. Two events with equal sequences
 * are not ordered against each other.
 *
 * @param major a counter that the writer raised under the aggregate's row lock, or a commit time in microseconds
 * @param minor the place within one transaction; 0 where the major number tells all
 */
public record Sequence(long major, long minor) implements Comparable<Sequence> {

    private static final Comparator<Sequence> ORDER =
            Comparator.comparingLong(Sequence::major).thenComparingLong(Sequence::minor);

    /** The sequence of a counter. */
    public static Sequence of(long counter) {
        return new Sequence(counter, 0);
    }

    @Override
    public int compareTo(Sequence other) {
        return ORDER.compare(this, other);
    }
}
