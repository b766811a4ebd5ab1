package io.outboxcdc.client.upkeep;

import java.util.Locale;

/**
 * One thing that a round of upkeep did, or had to leave.
 *
 * @param object the partition, or {@code outbox}
 * @param detail the range, the position in the WAL, the number of rows, or why it was kept
 */
public record UpkeepStep(Kind kind, String object, String detail) {

    /** What was done. */
    public enum Kind {
        /** A partition was made ahead of time. */
        MADE,
        /** Old rows of a plain outbox were deleted. */
        DELETED,
        /** A partition was detached and its end in the WAL noted. */
        SEALED,
        /** A sealed partition was dropped: all slots had confirmed past its end. */
        DROPPED,
        /** Something is old enough to go and must or could not: the detail says why. The next round tries again. */
        KEPT
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + object + ": " + detail;
    }
}
