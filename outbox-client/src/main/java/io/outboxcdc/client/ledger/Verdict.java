package io.outboxcdc.client.ledger;

/**
 * What a {@link Ledger} found. All numbers count events.
 *
 * @param committed events whose transaction committed
 * @param lost committed events that were never seen
 * @param duplicated sightings of a committed event beyond its first
 * @param outOfOrder first sightings that came after a later event of the same aggregate
 * @param deadLettered committed events that arrived as dead letters; not lost, but not where consumers look
 * @param phantoms events that were seen although their transaction was rolled back
 */
public record Verdict(long committed, long lost, long duplicated, long outOfOrder, long deadLettered, long phantoms) {

    /** Whether every committed event arrived once, in order, in its own topic, and nothing else did. */
    public boolean clean() {
        return lost == 0 && duplicated == 0 && outOfOrder == 0 && deadLettered == 0 && phantoms == 0;
    }
}
