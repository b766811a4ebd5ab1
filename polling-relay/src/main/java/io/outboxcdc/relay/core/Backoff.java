package io.outboxcdc.relay.core;

import java.time.Duration;

/** Pauses that double, up to a longest one. */
public record Backoff(Duration first, Duration longest) {

    private static final int MOST_DOUBLINGS = 30;

    /**
     * How long to wait.
     *
     * @param failures how many there have been, one or more
     */
    public Duration after(int failures) {
        Duration pause = first.multipliedBy(1L << Math.min(Math.max(failures - 1, 0), MOST_DOUBLINGS));
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
