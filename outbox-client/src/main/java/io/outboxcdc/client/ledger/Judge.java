package io.outboxcdc.client.ledger;

import io.outboxcdc.client.ledger.Finding.Kind;
import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The rules, for a {@link Ledger} in memory and for a {@link Reconciliation} on disk alike. It holds nothing but
 * counts: each event is handed to it once, with all of its sightings, and what has to be put into another order to be
 * judged further is handed back as arrivals.
 */
final class Judge {

    private final Settlement settlement;
    private final Consumer<Finding> findings;
    private final Consumer<Arrival> arrivals;
    private final Map<Kind, Long> found = new EnumMap<>(Kind.class);
    private long committed;
    private long sentAgain;
    private long withoutSequence;
    private long spreadAggregates;

    Judge(Settlement settlement, Consumer<Finding> findings, Consumer<Arrival> arrivals) {
        this.settlement = settlement;
        this.findings = findings;
        this.arrivals = arrivals;
    }

    /**
     * Judges an event that committed.
     *
     * @param rows how many rows have its id: more than one where the table's primary key is wider
     */
    void committed(CommittedEvent event, long rows, Sightings seen) {
        committed += rows;
        if (seen.total() < rows) {
            report(settlement.ofUnseen(event.createdAtMicros()), event.id(), null, rows - seen.total());
        }
        long repeats = Math.max(0, seen.events() - rows) + Math.max(0, seen.deadLetters() - rows);
        if (repeats > 0) {
            report(Kind.DUPLICATED, event.id(), seen.first(), repeats);
        }
        if (seen.deadLetters() > 0) {
            // A dead letter gives up its order, and when it is sent again it comes late on purpose.
            if (seen.events() == 0) {
                report(Kind.DEAD_LETTERED, event.id(), seen.first(), 1);
            } else {
                sentAgain++;
            }
        } else if (seen.events() > 0) {
            arrived(event, rows, seen);
        }
    }

    /** Judges records with an id that no row has. */
    void withoutRow(UUID id, Sightings seen) {
        if (settlement.everyRow() && !seen.onlyLater()) {
            report(Kind.UNKNOWN, id, seen.first(), 1);
        }
    }

    /** Judges the arrivals that were handed back, now in {@link Arrival#ORDER}. */
    void order(Iterator<Arrival> sorted) {
        Arrival previous = null;
        Sequence highest = null;
        boolean spread = false;
        while (sorted.hasNext()) {
            Arrival arrival = sorted.next();
            boolean sameAggregate = previous != null && previous.aggregate().equals(arrival.aggregate());
            boolean sameLane = sameAggregate && lane(previous) == lane(arrival);
            if (sameAggregate && !sameLane && !spread) {
                spreadAggregates++;
            }
            spread = sameAggregate && (spread || !sameLane);
            if (sameLane && highest != null && arrival.sequence().compareTo(highest) < 0) {
                report(Kind.OUT_OF_ORDER, arrival.id(), arrival.position(), 1);
            } else {
                highest = arrival.sequence();
            }
            previous = arrival;
        }
    }

    Tally tally() {
        return new Tally(committed, found, sentAgain, withoutSequence, spreadAggregates);
    }

    private void arrived(CommittedEvent event, long rows, Sightings seen) {
        Sequence sequence = event.sequence();
        if (sequence == null || rows > 1) {
            withoutSequence += rows;
            return;
        }
        for (Position position : seen.firstInEachLane()) {
            arrivals.accept(new Arrival(event.aggregate(), position, sequence, event.id()));
        }
    }

    private void report(Kind kind, UUID id, @Nullable Position at, long times) {
        found.merge(kind, times, Long::sum);
        findings.accept(new Finding(kind, id, at, times));
    }

    private static int lane(@Nullable Arrival arrival) {
        return arrival == null ? -1 : arrival.position().lane();
    }
}
