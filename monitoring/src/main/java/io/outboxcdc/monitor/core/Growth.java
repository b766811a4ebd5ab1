package io.outboxcdc.monitor.core;

import java.util.OptionalDouble;
import java.util.stream.LongStream;

/**
 * How fast held WAL grows for good.
 *
 * <p>Held WAL is a saw: it grows until the reader's confirmation frees a piece at once. What counts is the lower edge of
 * the saw. So the lowest point of a window's younger half is compared with that of its older half, in a short, a middle
 * and a long window, and the fastest of the three is taken: the short one sees at once that growth has begun, the long
 * one sees slow growth.
 */
public final class Growth {

    /** The windows in samples: a minute, five and an hour at one sample in five seconds. */
    private static final long[] WINDOWS = {12, 60, 720};

    /** A half that is not at least this full is not judged. */
    private static final double COVERED = 0.75;

    private static final double MILLIS = 1000;

    private Growth() {}

    /** Bytes a second, 0 or more; empty while there are too few samples. */
    public static OptionalDouble bytesPerSecond(TimeSeries held, long intervalMillis) {
        return LongStream.of(WINDOWS)
                .mapToObj(samples -> within(held, samples * intervalMillis))
                .flatMapToDouble(OptionalDouble::stream)
                .max();
    }

    private static OptionalDouble within(TimeSeries held, long window) {
        if (held.latest().isEmpty()) {
            return OptionalDouble.empty();
        }
        long now = held.latest().get().millis();
        long half = window / 2;
        Half younger = Half.of(held, now - half, now);
        Half older = Half.of(held, now - window, now - half);
        if (younger.span < half * COVERED || older.span < half * COVERED) {
            return OptionalDouble.empty();
        }
        double grown = (double) (younger.lowest - older.lowest);
        return OptionalDouble.of(Math.max(0, grown * MILLIS / (younger.first - older.first)));
    }

    private record Half(long first, long span, long lowest) {

        static Half of(TimeSeries held, long from, long to) {
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            long lowest = Long.MAX_VALUE;
            for (var points = held.newestFirst(); points.hasNext(); ) {
                TimeSeries.Point point = points.next();
                if (point.millis() < from) {
                    break;
                }
                if (point.millis() <= to) {
                    first = Math.min(first, point.millis());
                    last = Math.max(last, point.millis());
                    lowest = Math.min(lowest, point.value());
                }
            }
            return new Half(first, last == Long.MIN_VALUE ? 0 : last - first, lowest);
        }
    }
}
