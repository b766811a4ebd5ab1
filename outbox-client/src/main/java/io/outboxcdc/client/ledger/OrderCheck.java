package io.outboxcdc.client.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The sightings of one aggregate, which should rise in sequence as they rise in position. */
final class OrderCheck {

    private final List<Arrival> arrivals = new ArrayList<>();

    void add(long position, long sequence) {
        arrivals.add(new Arrival(position, sequence));
    }

    /** How many arrived after one with a higher sequence. */
    long outOfOrder() {
        arrivals.sort(Comparator.comparingLong(Arrival::position));
        long highest = Long.MIN_VALUE;
        long late = 0;
        for (Arrival arrival : arrivals) {
            if (arrival.sequence < highest) {
                late++;
            } else {
                highest = arrival.sequence;
            }
        }
        return late;
    }

    private record Arrival(long position, long sequence) {}
}
