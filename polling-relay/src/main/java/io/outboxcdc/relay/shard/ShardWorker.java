package io.outboxcdc.relay.shard;

import io.outboxcdc.relay.config.Configuration;
import io.outboxcdc.relay.core.Backoff;
import io.outboxcdc.relay.core.BlockedAggregates;
import io.outboxcdc.relay.core.Pace;
import io.outboxcdc.relay.database.Lease;
import io.outboxcdc.relay.database.ShardTable;
import io.outboxcdc.relay.serve.RelayMetric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Publishes the events of one shard until it is stopped or its lease is over. */
final class ShardWorker implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ShardWorker.class);
    private static final Backoff AFTER_FAILURE = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

    private final RelayContext context;
    private final Lease lease;
    private final BlockedAggregates blocked;
    private final Semaphore calls = new Semaphore(0);
    private final Thread thread;
    private volatile boolean stopped;
    private volatile int blockedAggregates;

    private ShardWorker(RelayContext context, Lease lease) {
        Configuration.Pauses pauses = context.configuration().pauses();
        this.context = context;
        this.lease = lease;
        this.blocked = new BlockedAggregates(new Backoff(pauses.firstRetry(), pauses.longestRetry()));
        this.thread = new Thread(this, "relay-shard-" + lease.shard());
    }

    static ShardWorker start(RelayContext context, Lease lease) {
        ShardWorker worker = new ShardWorker(context, lease);
        worker.thread.start();
        return worker;
    }

    Lease lease() {
        return lease;
    }

    int blockedAggregates() {
        return blockedAggregates;
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    /** There may be something to publish. */
    void call() {
        if (calls.availablePermits() == 0) {
            calls.release();
        }
    }

    /** Ends it after the batch that it is at; the lease is given back then. */
    void stop() {
        stopped = true;
        call();
    }

    /** Waits for its end, and forces it after a while. */
    void join(Duration atMost) throws InterruptedException {
        thread.join(atMost.toMillis());
        if (thread.isAlive()) {
            thread.interrupt();
            thread.join(atMost.toMillis());
        }
    }

    @Override
    public void run() {
        int failures = 0;
        try {
            while (!stopped) {
                long begin = System.nanoTime();
                try (Session session = open()) {
                    if (session.isLost()) {
                        LOG.info("Shard {} is another instance's now", lease.shard());
                        return;
                    }
                    publish(session.get());
                } catch (SQLException | RuntimeException e) {
                    if (stopped) {
                        return;
                    }
                    boolean lasted =
                            System.nanoTime() - begin > AFTER_FAILURE.longest().toNanos();
                    failures = lasted ? 1 : failures + 1;
                    context.counts().add(RelayMetric.INTERRUPTIONS, 1);
                    LOG.warn("Shard {} is begun anew: {}", lease.shard(), e.toString());
                    Thread.sleep(AFTER_FAILURE.after(failures).toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            release();
        }
    }

    /** So that a lost lease and an open session can be told apart in one try. */
    private record Session(Optional<ShardSession> session) implements AutoCloseable {

        boolean isLost() {
            return session.isEmpty();
        }

        ShardSession get() {
            return session.orElseThrow();
        }

        @Override
        public void close() throws SQLException {
            if (session.isPresent()) {
                session.get().close();
            }
        }
    }

    private Session open() throws SQLException {
        return new Session(ShardSession.open(context, lease, blocked));
    }

    private void publish(ShardSession session) throws SQLException, InterruptedException {
        Configuration.Pauses pauses = context.configuration().pauses();
        Pace pace = new Pace(pauses.shortestPoll(), pauses.longestPoll());
        while (!stopped) {
            // Before the read: a call that comes during it is for what it may not have seen.
            calls.drainPermits();
            boolean found = session.publishNext();
            blockedAggregates = session.blockedAggregates();
            if (found) {
                pace.busy();
            } else {
                pause(pace.idle(), pauses.shortestPoll());
            }
        }
    }

    /** Not shorter than {@code least}, else many small transactions of other shards would keep this one reading. */
    private void pause(Duration most, Duration least) throws InterruptedException {
        Thread.sleep(least.toMillis());
        long rest = most.minus(least).toMillis();
        if (!stopped && rest > 0 && calls.tryAcquire(rest, TimeUnit.MILLISECONDS)) {
            calls.drainPermits();
        }
    }

    private void release() {
        // A thread that was interrupted could not connect.
        boolean interrupted = Thread.interrupted();
        try (Connection connection = context.configuration().database().connect()) {
            ShardTable.release(connection, lease);
        } catch (SQLException e) {
            LOG.warn(
                    "Shard {} is not given back, others take it when the lease is over: {}",
                    lease.shard(),
                    e.toString());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
