package io.outboxcdc.monitor.core;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is remembered of a slot from one sample to the next, and over a restart of the monitor. PostgreSQL's own
 * {@code inactive_since} begins anew with each start of the server.
 *
 * @param seen whether the slot was ever there
 * @param lastActive when it last had a reader
 * @param confirmed the reader's last confirmation
 * @param offset the farthest position that Connect had stored
 * @param progressed when one of the two last moved, or when there was nothing to confirm
 * @param publicationOid the publication that was there last
 * @param publicationMadeAnew the server's position when a publication of the same name was found to be another one; until
 *     the slot is past it, rows written between the two are stuck or skipped
 * @param standbyWaits samples in a row in which the walsender waited for a standby
 * @param writeWaits samples in a row in which the walsender could not write to its client
 */
public record SlotMemory(
        boolean seen,
        Optional<Instant> lastActive,
        Optional<Lsn> confirmed,
        Optional<Lsn> offset,
        Instant progressed,
        Optional<Long> publicationOid,
        Optional<Lsn> publicationMadeAnew,
        int standbyWaits,
        int writeWaits) {

    /** The name of the wait event in {@code pg_stat_activity}, PostgreSQL 17 and newer. */
    static final String WAITS_FOR_STANDBY = "WaitForStandbyConfirmation";

    /** Nothing is known yet. */
    public static SlotMemory begin(Instant now) {
        return new SlotMemory(
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                now,
                Optional.empty(),
                Optional.empty(),
                0,
                0);
    }

    /** What is remembered after a sample; a database that did not answer changes nothing. */
    public SlotMemory after(
            Instant now,
            ServerFacts server,
            Optional<SlotFacts> found,
            Optional<StoredOffset> storedOffset,
            Optional<PublicationFacts> publication) {
        Optional<Lsn> newOffset = storedOffset.flatMap(StoredOffset::farthest).or(() -> offset);
        Optional<Long> oid = publication.flatMap(PublicationFacts::oid).or(() -> publicationOid);
        boolean madeAnew = publicationOid.isPresent() && !oid.equals(publicationOid);
        if (found.isEmpty()) {
            return new SlotMemory(seen, lastActive, confirmed, newOffset, progressed, oid, publicationMadeAnew, 0, 0);
        }
        SlotFacts slot = found.get();
        boolean moved = !slot.confirmed().equals(confirmed) || !newOffset.equals(offset);
        boolean nothingToDo = slot.unconfirmedBytes(server.flushed()) == 0;
        Optional<Lsn> anew = madeAnew ? Optional.of(server.head()) : publicationMadeAnew;
        return new SlotMemory(
                true,
                slot.active() ? Optional.of(now) : lastActive,
                slot.confirmed(),
                newOffset,
                moved || nothingToDo ? now : progressed,
                oid,
                anew.filter(position -> slot.confirmed()
                        .map(reached -> position.isAfter(reached))
                        .orElse(true)),
                waits(slot, WAITS_FOR_STANDBY::equals) ? standbyWaits + 1 : 0,
                waits(slot, event -> event.equals("WalSenderWriteData") || event.equals("ClientWrite"))
                        ? writeWaits + 1
                        : 0);
    }

    private static boolean waits(SlotFacts slot, Predicate<String> event) {
        return slot.walsender()
                .flatMap(SlotFacts.Walsender::waitEvent)
                .filter(event)
                .isPresent();
    }
}
