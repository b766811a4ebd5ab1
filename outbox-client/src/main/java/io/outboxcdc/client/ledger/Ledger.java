package io.outboxcdc.client.ledger;

import io.outboxcdc.client.ledger.Finding.Kind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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

    /** Sightings have one order, that of the consumer, whichever partitions they come from. */
    private static final int LANE = 0;

    private final Map<UUID, CommittedEvent> entries = new HashMap<>();
    private final Set<UUID> rolledBack = new HashSet<>();
    private final Map<UUID, Sightings> sightings = new HashMap<>();
    private long sightingCount;
    private long missing;

    /**
     * Notes an event whose transaction committed.
     *
     * @param sequence the aggregate's counter, raised under its row lock
     * @throws IllegalArgumentException when the id was noted before
     */
    public synchronized void committed(UUID id, Aggregate aggregate, long sequence) {
        if (entries.putIfAbsent(id, event(id, aggregate, sequence)) != null) {
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
        List<Arrival> arrivals = new ArrayList<>();
        Judge judge = new Judge(Settlement.FINAL, finding -> {}, arrivals::add);
        entries.forEach((id, event) -> judge.committed(event, 1, sightings.getOrDefault(id, Sightings.NONE)));
        arrivals.sort(Arrival.ORDER);
        judge.order(arrivals.iterator());

        Tally tally = judge.tally();
        return new Verdict(
                tally.committed(),
                tally.count(Kind.LOST),
                // Nobody sends dead letters again while a ledger is kept, so that an event in both places is a repeat.
                tally.count(Kind.DUPLICATED) + tally.sentAgain(),
                tally.count(Kind.OUT_OF_ORDER),
                tally.count(Kind.DEAD_LETTERED),
                rolledBack.stream().filter(sightings::containsKey).count());
    }

    private void sight(UUID id, boolean deadLetter) {
        Sightings seen = sightings.computeIfAbsent(id, first -> new Sightings());
        seen.add(new Position(LANE, sightingCount++), deadLetter, false);
        if (seen.total() == 1 && entries.containsKey(id)) {
            missing--;
        }
    }

    private static CommittedEvent event(UUID id, Aggregate aggregate, long sequence) {
        return new CommittedEvent(id, AggregateKey.of(aggregate), 0, Sequence.of(sequence));
    }
}
