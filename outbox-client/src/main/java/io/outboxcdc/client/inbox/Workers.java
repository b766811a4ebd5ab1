package io.outboxcdc.client.inbox;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Threads that work on the messages that wait: at once when woken, and every half second, since delays end unasked. */
final class Workers implements AutoCloseable {

    private static final long LOOK_MILLIS = 500;

    private final String consumer;
    private final InboxProcessor processor;
    private final Counters counters;
    private final Semaphore wakeUps = new Semaphore(0);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;
    private volatile @Nullable Error death;

    private Workers(String consumer, InboxProcessor processor, Counters counters) {
        this.consumer = consumer;
        this.processor = processor;
        this.counters = counters;
    }

    static Workers start(int number, String consumer, InboxProcessor processor, Counters counters) {
        Workers workers = new Workers(consumer, processor, counters);
        for (int i = 0; i < number; i++) {
            Thread thread = new Thread(workers::work, "inbox-" + consumer + "-worker-" + i);
            workers.threads.add(thread);
            thread.start();
        }
        return workers;
    }

    void wake() {
        if (wakeUps.availablePermits() < threads.size()) {
            wakeUps.release(threads.size());
        }
    }

    private void work() {
        Backoff backoff = new Backoff();
        try {
            while (!stopping) {
                long pause = LOOK_MILLIS;
                try {
                    while (!stopping && processor.round()) {
                        backoff.reset();
                    }
                } catch (SQLException | RuntimeException e) {
                    counters.databaseTroubles.increment();
                    pause = backoff.begin();
                    Failures.logTrouble(consumer, pause, e);
                }
                if (wakeUps.tryAcquire(pause, TimeUnit.MILLISECONDS)) {
                    wakeUps.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Error e) {
            death = e;
            throw e;
        }
    }

    /** A worker that has died would leave keys waiting for ever, so the consumer must not go on without it. */
    void requireAlive() {
        Error error = death;
        if (error != null) {
            throw new IllegalStateException("A worker of consumer " + consumer + " has died of " + error, error);
        }
    }

    /** Waits for the rounds at hand. */
    @Override
    public void close() {
        stopping = true;
        wakeUps.release(threads.size());
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
