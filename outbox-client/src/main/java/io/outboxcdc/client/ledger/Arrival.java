package io.outboxcdc.client.ledger;

import java.util.Comparator;
import java.util.UUID;

/** The first sighting of an event in one lane, with its place in the database's order. */
record Arrival(AggregateKey aggregate, Position position, Sequence sequence, UUID id) {

    /** All arrivals of an aggregate together, lane by lane, in the order of their offsets. */
    static final Comparator<Arrival> ORDER =
            Comparator.comparing(Arrival::aggregate).thenComparing(Arrival::position);
}
