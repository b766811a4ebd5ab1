package io.outboxcdc.monitor.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A kept line of (time, value): every sample for an hour, then one a minute. Not thread-safe.
 *
 * <p>A point that is no later than its predecessor is refused in silence: clocks are set back now and then, and a line that
 * goes back in time answers nothing.
 */
public final class TimeSeries {

    /**
     * A value at a time.
     *
     * @param millis since 1970
     */
    public record Point(long millis, long value) {}

    private static final long FINE_MILLIS = 3_600_000;
    private static final long COARSE_STEP_MILLIS = 60_000;

    private final long keptMillis;
    private final Deque<Point> coarse = new ArrayDeque<>();
    private final Deque<Point> fine = new ArrayDeque<>();

    /** An empty line that forgets what is older than {@code keptMillis}. */
    public TimeSeries(long keptMillis) {
        this.keptMillis = keptMillis;
    }

    /** Adds the newest point. */
    public void add(long millis, long value) {
        Point newest = fine.peekLast();
        if (newest != null && newest.millis >= millis) {
            return;
        }
        fine.addLast(new Point(millis, value));
        while (fine.getFirst().millis < millis - FINE_MILLIS) {
            Point old = fine.removeFirst();
            if (coarse.isEmpty() || old.millis - coarse.getLast().millis >= COARSE_STEP_MILLIS) {
                coarse.addLast(old);
            }
        }
        while (!coarse.isEmpty() && coarse.getFirst().millis < millis - keptMillis) {
            coarse.removeFirst();
        }
    }

    /** Forgets all. */
    public void clear() {
        coarse.clear();
        fine.clear();
    }

    /** All points, the oldest first. */
    public List<Point> points() {
        List<Point> all = new ArrayList<>(coarse);
        all.addAll(fine);
        return all;
    }

    /** The newest point. */
    public Optional<Point> latest() {
        return Optional.ofNullable(fine.peekLast());
    }

    /** Points from the newest back. */
    Iterator<Point> newestFirst() {
        Iterator<Point> first = fine.descendingIterator();
        Iterator<Point> then = coarse.descendingIterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return first.hasNext() || then.hasNext();
            }

            @Override
            public Point next() {
                return first.hasNext() ? first.next() : then.next();
            }
        };
    }
}
