package io.outboxcdc.monitor.upkeep;

import io.outboxcdc.client.inbox.InboxRetention;
import io.outboxcdc.client.upkeep.OutboxUpkeep;
import io.outboxcdc.client.upkeep.UpkeepStep;
import io.outboxcdc.monitor.config.Configuration.UpkeepTarget;
import io.outboxcdc.monitor.metric.UpkeepCounts;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Rounds of upkeep, each database by itself, apart from sampling: a round may take long, and none of it may hold up a
 * sample. Thread-safe.
 */
public final class UpkeepSchedule implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("slot-monitor.upkeep");
    private static final String APPLICATION_NAME = "slot-monitor-upkeep";
    private static final int CONNECT_SECONDS = 10;

    /** A round that deletes for the first time takes its time; a server that hangs must not stop upkeep for ever. */
    private static final int ANSWER_SECONDS = 600;

    private final List<UpkeepTarget> targets;
    private final Map<String, UpkeepCounts> counts = new ConcurrentHashMap<>();
    private final ScheduledExecutorService threads;

    /** Upkeep of these databases; nothing is done before {@link #start}. */
    public UpkeepSchedule(List<UpkeepTarget> targets) {
        this.targets = List.copyOf(targets);
        this.threads = Executors.newScheduledThreadPool(targets.size(), work -> {
            Thread thread = new Thread(work, APPLICATION_NAME);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs the first rounds at once. */
    public void start() {
        for (UpkeepTarget target : targets) {
            var unused = threads.scheduleWithFixedDelay(
                    () -> round(target), 0, target.interval().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** What became of it, by database. */
    public Map<String, UpkeepCounts> counts() {
        Map<String, UpkeepCounts> now = new LinkedHashMap<>();
        for (UpkeepTarget target : targets) {
            now.put(target.database(), counts.getOrDefault(target.database(), UpkeepCounts.NONE));
        }
        return now;
    }

    /** Ends it. A step that runs ends with its transaction, or is undone with the process. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(CONNECT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("A round of upkeep is still running; the step that it is in may be undone.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void round(UpkeepTarget target) {
        try {
            outbox(target);
            inbox(target);
            counts.merge(target.database(), UpkeepCounts.NONE.afterDone(), (before, one) -> before.afterDone());
        } catch (SQLException | RuntimeException e) {
            // Whatever it is: a scheduled task that throws is never run again.
            String why = String.valueOf(e.getMessage());
            LOG.warn("The {} failed: {}", target, why);
            counts.merge(
                    target.database(), UpkeepCounts.NONE.afterFailed(why), (before, one) -> before.afterFailed(why));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void outbox(UpkeepTarget target) throws SQLException, InterruptedException {
        try (Connection connection = dataSource(target).getConnection()) {
            for (UpkeepStep step : OutboxUpkeep.round(connection)) {
                if (step.kind() == UpkeepStep.Kind.KEPT) {
                    // Said again in each round; the table outbox_partition has it too.
                    LOG.debug("The {}: {}", target, step);
                } else {
                    LOG.info("The {}: {}", target, step);
                }
            }
        }
    }

    private static void inbox(UpkeepTarget target) throws SQLException {
        for (String consumer : target.inboxConsumers()) {
            long forgotten = InboxRetention.of(dataSource(target), consumer, target.inboxWindow())
                    .forget();
            if (forgotten > 0) {
                LOG.info("The {}: forgot {} claims of consumer {}", target, forgotten, consumer);
            }
        }
    }

    private static PGSimpleDataSource dataSource(UpkeepTarget target) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(target.jdbcUrl());
        source.setUser(target.user());
        if (!target.password().isEmpty()) {
            source.setPassword(target.password());
        }
        source.setApplicationName(APPLICATION_NAME);
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setLoginTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(ANSWER_SECONDS);
        source.setTcpKeepAlive(true);
        return source;
    }
}
