package io.outboxcdc.monitor.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What one database server said in one sample.
 *
 * @param head the end of what is written
 * @param flushed the end of what is on disk, which is what a slot can be sent
 * @param slots the logical slots, by name
 * @param publications what was found for each expected slot, by the slot's name
 * @param writers open transactions that have written, the oldest first
 * @param standbySlots those of {@code synchronized_standby_slots}
 * @param standbys the standbys that have to keep copies of slots, as the configuration names them
 */
public record ServerFacts(
        int majorVersion,
        String systemIdentifier,
        boolean inRecovery,
        Lsn head,
        Lsn flushed,
        Settings settings,
        Wal wal,
        Map<String, SlotFacts> slots,
        List<Holder> holders,
        List<OpenWriter> writers,
        List<StandbySlot> standbySlots,
        List<Standby> standbys,
        Map<String, PublicationFacts> publications,
        Map<String, OutboxFacts> outboxes) {

    /**
     * Settings that decide what happens to slots.
     *
     * @param maxSlotWalKeepBytes empty when there is no limit
     * @param walSenderTimeoutMillis 0 when there is none
     * @param idleSlotTimeoutSeconds 0 when there is none; PostgreSQL 18 and newer
     */
    public record Settings(
            String walLevel,
            OptionalLong maxSlotWalKeepBytes,
            long walSenderTimeoutMillis,
            long idleSlotTimeoutSeconds,
            long walSegmentBytes,
            int maxSlots,
            int usedSlots,
            int maxWalSenders,
            int usedWalSenders) {}

    /**
     * The WAL on disk.
     *
     * @param diskFree bytes free on its volume; empty when that cannot be known from here
     * @param diskTotal bytes of its volume; empty when that cannot be known from here
     */
    public record Wal(
            long bytes, long readyToArchive, boolean archiverFailing, OptionalLong diskFree, OptionalLong diskTotal) {}

    /** A slot of any kind that holds WAL, the one that holds most first. */
    public record Holder(String name, String kind, boolean active, long retainedBytes) {}

    /**
     * A transaction that has written and has not ended.
     *
     * @param prepared whether it waits for COMMIT PREPARED; then {@code id} is its name, else a process id
     */
    public record OpenWriter(boolean prepared, String id, double seconds, Optional<String> application) {

        String describe() {
            return (prepared ? "prepared transaction '" + id + "'" : "the transaction of pid " + id)
                    + application.map(name -> " (" + name + ")").orElse("")
                    + ", open for " + Words.duration(seconds);
        }
    }

    /**
     * A slot named in {@code synchronized_standby_slots}, PostgreSQL 17 and newer.
     *
     * @param present whether there is such a slot
     */
    public record StandbySlot(String name, boolean present, boolean active) {}

    /**
     * A standby.
     *
     * @param address where it is, without user and password
     * @param ready the slots that it could go on with after a failover
     */
    public record Standby(String address, Reading<Set<String>> ready) {}

    /** The same, with what the standbys say. */
    public ServerFacts with(List<Standby> all) {
        return new ServerFacts(
                majorVersion,
                systemIdentifier,
                inRecovery,
                head,
                flushed,
                settings,
                wal,
                slots,
                holders,
                writers,
                standbySlots,
                all,
                publications,
                outboxes);
    }

    /** The bytes held by whatever holds most. */
    public long heldBytes() {
        return holders.stream().mapToLong(Holder::retainedBytes).max().orElse(0);
    }
}
