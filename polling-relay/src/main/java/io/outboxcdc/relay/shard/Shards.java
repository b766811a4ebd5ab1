package io.outboxcdc.relay.shard;

import io.outboxcdc.relay.core.FairShare;
import io.outboxcdc.relay.database.Lease;
import io.outboxcdc.relay.database.OutboxLayout;
import io.outboxcdc.relay.database.ShardRows;
import io.outboxcdc.relay.database.ShardTable;
import io.outboxcdc.relay.serve.RelayMetric;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The shards of this instance: as many as are its fair share. {@link #tick()} is to be called by one thread, several times
 * within the duration of a lease; the rest is thread-safe.
 */
public final class Shards implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Shards.class);
    private static final Duration STOP = Duration.ofSeconds(20);

    private final RelayContext context;
    private final String instance;
    private final Map<Integer, ShardWorker> workers = new ConcurrentHashMap<>();
    private @Nullable Connection connection;
    private boolean takenOver;
    private volatile boolean answering = true;

    /** None, before the first tick. */
    public Shards(RelayContext context, String instance) {
        this.context = context;
        this.instance = instance;
    }

    /** Prolongs leases, and takes or gives back shards. Never throws: a silent instance would keep what it has. */
    public void tick() {
        try {
            Connection current = connection();
            share(new ShardTable(current, instance, context.configuration().lease()));
            measure(current);
            tellWhoPublishes(current);
            answering = true;
        } catch (SQLException | RuntimeException e) {
            answering = false;
            LOG.warn("Leases are not prolonged: {}", e.toString());
            disconnect();
        }
    }

    /** Whether the database answered last. */
    public boolean isAnswering() {
        return answering;
    }

    /** There may be something to publish. */
    public void call() {
        workers.values().forEach(ShardWorker::call);
    }

    private void share(ShardTable table) throws SQLException {
        Set<String> alive = table.join();
        workers.values().removeIf(worker -> !worker.isAlive());
        Set<Lease> leases = table.renew();
        List<ShardWorker> working = workers.values().stream()
                .filter(worker -> leases.contains(worker.lease()))
                .toList();
        workers.values().stream().filter(worker -> !working.contains(worker)).forEach(ShardWorker::stop);
        int share = FairShare.of(context.layout().shards(), alive, instance);
        if (working.size() > share) {
            working.subList(share, working.size()).forEach(ShardWorker::stop);
        } else if (workers.size() < share) {
            for (Lease lease : table.claim(share - workers.size())) {
                LOG.info("Shard {} is ours, epoch {}", lease.shard(), lease.epoch());
                workers.put(lease.shard(), ShardWorker.start(context, lease));
            }
        }
        context.counts().set(RelayMetric.SHARDS, workers.size());
    }

    private void measure(Connection current) throws SQLException {
        Instant now = context.clock().instant();
        long lag = 0;
        int blocked = 0;
        for (ShardWorker worker : workers.values()) {
            Optional<Instant> oldest = new ShardRows(current, worker.lease().shard(), context.layout()).oldest();
            lag = Math.max(
                    lag,
                    oldest.map(time -> Duration.between(time, now).toSeconds()).orElse(0L));
            blocked += worker.blockedAggregates();
        }
        context.counts().set(RelayMetric.LAG_SECONDS, lag);
        context.counts().set(RelayMetric.BLOCKED_AGGREGATES, blocked);
    }

    private void tellWhoPublishes(Connection current) throws SQLException {
        boolean now = OutboxLayout.isTakenOver(current);
        if (now != takenOver) {
            takenOver = now;
            LOG.info(
                    now
                            ? "New events are another publisher's: outbox.published_at has a default"
                            : "New events are ours: outbox.published_at has no default any more");
        }
    }

    private Connection connection() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = context.configuration().database().connect();
            connection = current;
        }
        return current;
    }

    private void disconnect() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                LOG.debug("A broken connection did not close.", e);
            }
        }
    }

    /** Ends all shards in an orderly way: others can have them at once. {@link #tick()} must not be called any more. */
    @Override
    public void close() {
        workers.values().forEach(ShardWorker::stop);
        try {
            for (ShardWorker worker : workers.values()) {
                worker.join(STOP);
            }
            new ShardTable(connection(), instance, context.configuration().lease()).leave();
        } catch (SQLException e) {
            LOG.warn("Others notice the end of this instance when its lease is over: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        disconnect();
    }
}
