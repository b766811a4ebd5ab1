package io.outboxcdc.monitor.read;

import java.time.Duration;

/** Waits longer after each failure, so that a server that is down is not also flooded. Not thread-safe. */
final class Backoff {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Duration wait = Duration.ZERO;
    private long notBeforeNanos = System.nanoTime();

    /** Whether it is time to try. */
    boolean mayTry() {
        return System.nanoTime() - notBeforeNanos >= 0;
    }

    void failed() {
        wait = wait.isZero() ? FIRST : wait.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : wait.multipliedBy(2);
        notBeforeNanos = System.nanoTime() + wait.toNanos();
    }

    void succeeded() {
        wait = Duration.ZERO;
        notBeforeNanos = System.nanoTime();
    }
}
