package io.outboxcdc.client.inbox;

import java.util.concurrent.TimeUnit;

/** How long to leave a database alone that does not answer. For one thread. */
final class Backoff {

    private static final long FIRST_MILLIS = 100;
    private static final long LONGEST_MILLIS = 10_000;

    private long delay;
    private long until;

    /** Begins to wait, longer than the last time, and returns for how many milliseconds. */
    long begin() {
        delay = delay == 0 ? FIRST_MILLIS : Math.min(LONGEST_MILLIS, delay * 2);
        until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delay);
        return delay;
    }

    boolean isWaiting() {
        return delay > 0 && System.nanoTime() - until < 0;
    }

    void reset() {
        delay = 0;
    }
}
