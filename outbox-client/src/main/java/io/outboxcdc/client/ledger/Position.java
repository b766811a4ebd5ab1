package io.outboxcdc.client.ledger;

import java.util.Comparator;

/**
 * Where an event was seen.
 *
 * @param lane a number that the caller gives to each partition of each topic; only positions in one lane have an order
 * @param offset rises within the lane
 */
public record Position(int lane, long offset) implements Comparable<Position> {

    private static final Comparator<Position> ORDER =
            Comparator.comparingInt(Position::lane).thenComparingLong(Position::offset);

    @Override
    public int compareTo(Position other) {
        return ORDER.compare(this, other);
    }
}
