package io.outboxcdc.client.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Two lists held against each other: the events that writers know to be committed, and the events that a consumer saw.
 *
 * <p>The writers' list is the judge, never the outbox table: a row that the database lost would be missing from both
 * the table and the topic. A writer raises a counter under the aggregate's row lock, which it holds until commit, so
 * that the counter's order is the commit order; the ledger takes that order as the truth.
 *
 * <p>A consumer may be faster than the writer that waits for its commit to return, so the two lists may be filled in
 * any order. Sightings of ids on neither list belong to somebody else and are left out of the verdict.
 *
 * <p>Thread-safe. Holds every event in memory.
 */
public final class Ledger {

    private final Map<UUID, Entry> entries = new HashMap<>();
    private final Set<UUID> rolledBack = new HashSet<>();
    private final Map<UUID, Sighting> sightings = new HashMap<>();
    private long sightingCount;
    private long missing;

    /**
     * Notes an event whose transaction committed.
     *
     * @param sequence the aggregate's counter, raised under its row lock
     * @throws IllegalArgumentException when the id was noted before
     */
    public synchronized void committed(UUID id, Aggregate aggregate, long sequence) {
        if (entries.putIfAbsent(id, new Entry(aggregate, sequence)) != null) {
            throw new IllegalArgumentException("Event " + id + " was noted as committed before.");
        }
        if (!sightings.containsKey(id)) {
            missing++;
        }
    }

    /** Notes an event whose transaction was rolled back: it must never be seen. */
    public synchronized void rolledBack(UUID id) {
        rolledBack.add(id);
    }

    /** Notes that the event was seen in its topic; call it for each record, in the order of each partition. */
    public synchronized void seen(UUID id) {
        sight(id, false);
    }

    /** Notes that the event was seen as a dead letter. */
    public synchronized void seenAsDeadLetter(UUID id) {
        sight(id, true);
    }

    /** Committed events that have not been seen so far. */
    public synchronized long outstanding() {
        return missing;
    }

    /** The verdict on all that was noted until now. */
    public synchronized Verdict verdict() {
        long duplicated = 0;
        long deadLettered = 0;
        Map<Aggregate, OrderCheck> orders = new HashMap<>();
        for (Map.Entry<UUID, Entry> committed : entries.entrySet()) {
            Sighting sighting = sightings.get(committed.getKey());
            if (sighting == null) {
                continue;
            }
            duplicated += sighting.times - 1;
            if (sighting.deadLetter) {
                deadLettered++;
            } else {
                Entry entry = committed.getValue();
                orders.computeIfAbsent(entry.aggregate, aggregate -> new OrderCheck())
                        .add(sighting.position, entry.sequence);
            }
        }
        long outOfOrder =
                orders.values().stream().mapToLong(OrderCheck::outOfOrder).sum();
        long phantoms = rolledBack.stream().filter(sightings::containsKey).count();
        return new Verdict(entries.size(), missing, duplicated, outOfOrder, deadLettered, phantoms);
    }

    private void sight(UUID id, boolean deadLetter) {
        Sighting first = sightings.get(id);
        if (first == null) {
            sightings.put(id, new Sighting(sightingCount++, deadLetter));
            if (entries.containsKey(id)) {
                missing--;
            }
        } else {
            first.times++;
        }
    }

    private record Entry(Aggregate aggregate, long sequence) {}

    private static final class Sighting {
        private final long position;
        private final boolean deadLetter;
        private long times = 1;

        Sighting(long position, boolean deadLetter) {
            this.position = position;
            this.deadLetter = deadLetter;
        }
    }
}
