package io.outboxcdc.client.ledger;

/**
 * What may be concluded from not having seen an event, or a row. Times are microseconds since 1970.
 *
 * @param retainedFromMicros the topics hold every record of rows created after this; for older ones that is not known
 * @param settledUntilMicros rows created up to this would have been seen, had they been sent
 * @param everyRow whether all rows of the table were noted, so that a record without a row is one whose row is gone
 */
public record Settlement(long retainedFromMicros, long settledUntilMicros, boolean everyRow) {

    /** Nothing was dropped, and nothing can still come. */
    public static final Settlement FINAL = new Settlement(Long.MIN_VALUE, Long.MAX_VALUE, true);

    /** The meaning of a row that was not seen. */
    Finding.Kind ofUnseen(long createdAtMicros) {
        if (createdAtMicros > settledUntilMicros) {
            return Finding.Kind.ON_THE_WAY;
        }
        return createdAtMicros > retainedFromMicros || retainedFromMicros == Long.MIN_VALUE
                ? Finding.Kind.LOST
                : Finding.Kind.NOT_RETAINED;
    }
}
