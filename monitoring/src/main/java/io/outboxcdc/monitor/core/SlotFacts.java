package io.outboxcdc.monitor.core;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One logical slot as {@code pg_replication_slots} and the views beside it show it.
 *
 * @param walStatus reserved, extended, unreserved or lost
 * @param restart empty when the WAL is gone
 * @param safeWalSize bytes that may still be written before the slot can be lost; empty without a limit and when lost;
 *     negative when the limit is passed
 * @param invalidationReason PostgreSQL 17 and newer
 * @param conflicting PostgreSQL 16 and newer
 */
public record SlotFacts(
        String name,
        String database,
        boolean active,
        String walStatus,
        Optional<Lsn> restart,
        Optional<Lsn> confirmed,
        OptionalLong safeWalSize,
        long catalogXminAge,
        Optional<String> invalidationReason,
        boolean conflicting,
        boolean failover,
        Optional<Walsender> walsender,
        Optional<Decoding> decoding) {

    /**
     * The process that serves the slot's reader.
     *
     * @param replyAgeSeconds since the reader last said anything; empty when it never has
     * @param unsentBytes flushed and not yet sent
     */
    public record Walsender(
            String client, OptionalDouble replyAgeSeconds, long unsentBytes, Optional<String> waitEvent) {}

    /**
     * What the decoder has spilled since its counter was last reset, and what it has on disk.
     *
     * @param spilledOnDisk bytes; PostgreSQL 15 and newer
     */
    public record Decoding(long spillBytes, OptionalLong spilledOnDisk) {}

    /** Whether the slot can never be read again. */
    public boolean isLost() {
        return walStatus.equals("lost") || invalidationReason.isPresent() || conflicting;
    }

    /** Bytes of WAL that the slot holds at a position of the server; a lost slot holds none. */
    public long retainedBytes(Lsn head) {
        return isLost() ? 0 : restart.map(head::bytesSince).orElse(0L);
    }

    /** Bytes that the reader has not confirmed yet; a lost slot's reader never will. */
    public long unconfirmedBytes(Lsn flushed) {
        return confirmed.map(flushed::bytesSince).orElse(0L);
    }

    /** Bytes that are held although the reader has confirmed them. */
    public long heldBeforeConfirmBytes() {
        return isLost() || confirmed.isEmpty() || restart.isEmpty()
                ? 0
                : confirmed.get().bytesSince(restart.get());
    }
}
