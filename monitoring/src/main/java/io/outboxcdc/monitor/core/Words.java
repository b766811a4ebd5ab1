package io.outboxcdc.monitor.core;

import java.time.Duration;
import java.util.Locale;

/** Numbers as a person reads them. */
public final class Words {

    private static final String[] UNITS = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    private static final double STEP = 1024;
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Words() {}

    /** A size with three digits or so, in PostgreSQL's units: 1 kB is 1024 bytes. */
    public static String bytes(long bytes) {
        double value = (double) bytes;
        int unit = 0;
        while (Math.abs(value) >= STEP && unit < UNITS.length - 1) {
            value /= STEP;
            unit++;
        }
        String number = unit == 0 || value >= 100 ? "%.0f" : "%.1f";
        return String.format(Locale.ROOT, number + " %s", value, UNITS[unit]);
    }

    /** A duration in its two largest units. */
    public static String duration(double seconds) {
        long whole = Math.round(Math.max(0, seconds));
        if (whole < 2 * MINUTE) {
            return whole + " s";
        }
        if (whole < 2 * HOUR) {
            return two(whole, MINUTE, "min", 1, "s");
        }
        return whole < 2 * DAY ? two(whole, HOUR, "h", MINUTE, "min") : two(whole, DAY, "days", HOUR, "h");
    }

    /** As {@link #duration(double)}. */
    public static String duration(Duration duration) {
        return duration((double) duration.toSeconds());
    }

    private static String two(long seconds, long large, String largeUnit, long small, String smallUnit) {
        long rest = seconds % large / small;
        return seconds / large + " " + largeUnit + (rest == 0 ? "" : " " + rest + " " + smallUnit);
    }
}
