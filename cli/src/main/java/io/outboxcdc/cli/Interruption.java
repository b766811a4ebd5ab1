package io.outboxcdc.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGINT or SIGTERM to this process. A command that can end in order is asked to, and chooses its exit code; one that
 * cannot, or that is asked a second time, is ended by the JVM's shutdown, which stops what was started.
 *
 * <p>Thread-safe.
 */
final class Interruption {

    /** Of a command that did not end in order: 128 + SIGINT, as shells report it. */
    static final int EXIT_CODE = 130;

    private final CountDownLatch requested = new CountDownLatch(1);
    private volatile boolean endsInOrder;

    static Interruption install() {
        Interruption interruption = new Interruption();
        Signals.onEach(List.of("INT", "TERM"), interruption::request);
        return interruption;
    }

    /** From now on the command looks at {@link #await} and ends by itself when asked. */
    void endsInOrder() {
        endsInOrder = true;
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits until the process is asked to end, or the time is over; true when asked. */
    boolean await(Duration atMost) throws InterruptedException {
        return requested.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void request() {
        boolean again = isRequested();
        requested.countDown();
        if (again || !endsInOrder) {
            // On a thread of its own: the shutdown lasts, and a further signal must find this method free.
            new Thread(() -> System.exit(EXIT_CODE), "interruption").start();
        }
    }
}
