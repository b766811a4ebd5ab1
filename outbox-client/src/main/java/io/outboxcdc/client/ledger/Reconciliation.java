package io.outboxcdc.client.ledger;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A table's rows held against a consumer's records, when both are there to be read and may be more than memory holds.
 * The rules are those of the {@link Ledger}.
 *
 * <p>Rows and records are sorted by id in a folder and read side by side; what arrived is sorted once more, by aggregate
 * and position, and its order judged. Memory holds a fixed number of events, whatever their number and however they are
 * spread over aggregates; the folder takes up to 200 bytes for each event.
 *
 * <p>Not thread-safe. Methods throw {@link UncheckedIOException} when the folder cannot take the data.
 */
public final class Reconciliation implements AutoCloseable {

    /** Fifteen megabytes or so. */
    public static final int EVENTS_IN_MEMORY = 100_000;

    private final Path folder;
    private final int eventsInMemory;
    private final SpillingSort<CommittedEvent> rows;
    private final SpillingSort<Sighting> sightings;

    /**
     * Nothing noted yet.
     *
     * @param folder where to sort; what is written there has no name, holds ids and positions only, and ends with the
     *     process
     * @param eventsInMemory how many rows, and as many records, are held in memory; {@link #EVENTS_IN_MEMORY} unless
     *     there is a reason
     */
    public Reconciliation(Path folder, int eventsInMemory) {
        this.folder = folder;
        this.eventsInMemory = eventsInMemory;
        rows = new SpillingSort<>(RecordForms.COMMITTED, CommittedEvent.ORDER, folder, eventsInMemory);
        sightings = new SpillingSort<>(RecordForms.SIGHTING, Sighting.ORDER, folder, eventsInMemory);
    }

    /**
     * Notes a row.
     *
     * @param createdAtMicros its time, in microseconds since 1970, as {@link Settlement} compares it
     * @param sequence its place in its aggregate; null when that is not known, and its order is not to be judged
     */
    public void committed(UUID id, Aggregate aggregate, long createdAtMicros, @Nullable Sequence sequence) {
        rows.add(new CommittedEvent(id, AggregateKey.of(aggregate), createdAtMicros, sequence));
    }

    /** Notes a record, in any order. */
    public void seen(Sighting sighting) {
        sightings.add(sighting);
    }

    /**
     * Judges all that was noted until now; may be called again, after more was noted.
     *
     * @param findings gets each finding, those of the order last, otherwise by id
     */
    public Tally judge(Settlement settlement, Consumer<Finding> findings) {
        try (SpillingSort<Arrival> arrivals =
                new SpillingSort<>(RecordForms.ARRIVAL, Arrival.ORDER, folder, eventsInMemory)) {
            Judge judge = new Judge(settlement, findings, arrivals::add);
            new SideBySide(rows.sorted(), sightings.sorted()).judge(judge);
            judge.order(arrivals.sorted());
            return judge.tally();
        }
    }

    @Override
    public void close() {
        rows.close();
        sightings.close();
    }

    /** A merge join on the id. */
    private static final class SideBySide {
        private final Iterator<CommittedEvent> rows;
        private final Iterator<Sighting> sightings;
        private @Nullable CommittedEvent row;
        private @Nullable Sighting sighting;

        SideBySide(Iterator<CommittedEvent> rows, Iterator<Sighting> sightings) {
            this.rows = rows;
            this.sightings = sightings;
            nextRow();
            nextSighting();
        }

        void judge(Judge judge) {
            while (row != null || sighting != null) {
                CommittedEvent event = row;
                Sighting next = sighting;
                if (event != null && (next == null || event.id().compareTo(next.id()) <= 0)) {
                    judge.committed(event, rowsOf(event.id()), sightingsOf(event.id()));
                } else if (next != null) {
                    judge.withoutRow(next.id(), sightingsOf(next.id()));
                }
            }
        }

        private long rowsOf(UUID id) {
            long count = 0;
            while (row != null && row.id().equals(id)) {
                count++;
                nextRow();
            }
            return count;
        }

        private Sightings sightingsOf(UUID id) {
            if (sighting == null || !sighting.id().equals(id)) {
                return Sightings.NONE;
            }
            Sightings all = new Sightings();
            while (sighting != null && sighting.id().equals(id)) {
                all.add(sighting.position(), sighting.deadLetter(), sighting.later());
                nextSighting();
            }
            return all;
        }

        private void nextRow() {
            row = rows.hasNext() ? rows.next() : null;
        }

        private void nextSighting() {
            sighting = sightings.hasNext() ? sightings.next() : null;
        }
    }
}
