package io.outboxcdc.monitor.core;

import io.outboxcdc.monitor.core.TimeSeries.Point;

import java.util.Iterator;

/**
 * How long ago the server wrote what the reader has confirmed last: right also for a slot that nobody reads, for which
 * the server's own lag columns say nothing or stand still.
 *
 * @param seconds 0 when all is confirmed
 * @param atLeast whether it may be more, since the line of positions does not reach back that far
 */
public record TimeLag(double seconds, boolean atLeast) {

    private static final double MILLIS = 1000;

    /**
     * The lag at a moment.
     *
     * @param heads positions of the server over time
     * @param confirmed what the reader has confirmed
     */
    public static TimeLag of(TimeSeries heads, Lsn confirmed, long nowMillis) {
        long target = confirmed.position();
        Iterator<Point> points = heads.newestFirst();
        if (!points.hasNext()) {
            return new TimeLag(0, true);
        }
        Point later = points.next();
        if (later.value() <= target) {
            return new TimeLag(0, false);
        }
        while (points.hasNext()) {
            Point earlier = points.next();
            if (earlier.value() <= target) {
                double part = (double) (target - earlier.value()) / (later.value() - earlier.value());
                double passed = earlier.millis() + part * (later.millis() - earlier.millis());
                return new TimeLag(Math.max(0, nowMillis - passed) / MILLIS, false);
            }
            later = earlier;
        }
        return new TimeLag(Math.max(0, nowMillis - later.millis()) / MILLIS, true);
    }
}
