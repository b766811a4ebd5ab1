package io.outboxcdc.client.ledger;

import java.util.Comparator;
import java.util.UUID;

/**
 * A record that was read.
 *
 * @param id the event's id
 * @param position where it was read
 * @param deadLetter whether it was read from the dead-letter topic
 * @param later whether it may have been committed after the rows were read, so that no row of it says nothing
 */
public record Sighting(UUID id, Position position, boolean deadLetter, boolean later) {

    static final Comparator<Sighting> ORDER = Comparator.comparing(Sighting::id).thenComparing(Sighting::position);
}
