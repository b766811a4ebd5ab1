package io.outboxcdc.monitor.core;

/**
 * A position in the write-ahead log, in bytes since its beginning.
 *
 * @param position never negative: PostgreSQL would need centuries to reach 2^63
 */
public record Lsn(long position) implements Comparable<Lsn> {

    private static final int LOW_BITS = 32;
    private static final int HEX = 16;

    /** Reads PostgreSQL's text form, {@code 16/B374D848}. */
    public static Lsn parse(String text) {
        int slash = text.indexOf('/');
        return new Lsn((Long.parseLong(text, 0, slash, HEX) << LOW_BITS)
                | Long.parseLong(text, slash + 1, text.length(), HEX));
    }

    /** Bytes from {@code earlier} to here; negative when it is not earlier. */
    public long minus(Lsn earlier) {
        return position - earlier.position;
    }

    /** As {@link #minus}, and 0 when {@code earlier} is not earlier. */
    public long bytesSince(Lsn earlier) {
        return Math.max(0, minus(earlier));
    }

    /** Whether this lies behind {@code other}. */
    public boolean isAfter(Lsn other) {
        return position > other.position;
    }

    @Override
    public int compareTo(Lsn other) {
        return Long.compare(position, other.position);
    }

    /** PostgreSQL's text form. */
    @Override
    public String toString() {
        return "%X/%X".formatted(position >>> LOW_BITS, position & 0xFFFF_FFFFL);
    }
}
