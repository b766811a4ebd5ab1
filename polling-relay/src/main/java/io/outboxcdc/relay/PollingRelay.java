package io.outboxcdc.relay;

import io.outboxcdc.relay.change.ChangeRecords;
import io.outboxcdc.relay.config.Configuration;
import io.outboxcdc.relay.config.ConfigurationException;
import io.outboxcdc.relay.core.AggregateKey;
import io.outboxcdc.relay.core.EventRow;
import io.outboxcdc.relay.database.CleanUp;
import io.outboxcdc.relay.database.OutboxLayout;
import io.outboxcdc.relay.database.WakeUpCalls;
import io.outboxcdc.relay.publish.EventRecords;
import io.outboxcdc.relay.publish.Topics;
import io.outboxcdc.relay.serve.Counts;
import io.outboxcdc.relay.serve.MetricsServer;
import io.outboxcdc.relay.serve.RelayMetric;
import io.outboxcdc.relay.shard.RelayContext;
import io.outboxcdc.relay.shard.Shards;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** An instance of the relay that runs until it is closed. Any number of them may run on one outbox. Thread-safe. */
public final class PollingRelay implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PollingRelay.class);
    private static final int TICKS_PER_LEASE = 4;
    private static final Duration RECONNECT = Duration.ofSeconds(1);

    private final Counts counts;
    private final Admin admin;
    private final Shards shards;
    private final MetricsServer server;
    private final WakeUpCalls calls;
    private final CleanUp cleanUp;
    private final ScheduledExecutorService timers;
    private boolean closed;

    private PollingRelay(Configuration configuration, OutboxLayout layout, EventRecords records, Counts counts)
            throws IOException {
        this.counts = counts;
        this.admin = Admin.create(configuration.kafka().admin());
        Configuration.Topics topics = configuration.topics();
        RelayContext context = new RelayContext(
                configuration,
                layout,
                records,
                new Topics(admin, topics.create(), topics.deadLetter(), topics.position()),
                counts,
                Clock.systemUTC());
        this.shards = new Shards(context, ManagementFactory.getRuntimeMXBean().getName() + " " + UUID.randomUUID());
        Configuration.Retention retention = configuration.retention();
        this.cleanUp = new CleanUp(configuration.database(), retention.keep(), retention.batchRows());
        this.calls = new WakeUpCalls(configuration.database(), RECONNECT, shards::call);
        this.timers = Executors.newScheduledThreadPool(2, work -> daemon(work, "relay-timer"));
        try {
            this.server = MetricsServer.start(
                    configuration.httpAddress(), configuration.httpPort(), counts, shards::isAnswering);
        } catch (IOException e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    /**
     * Looks at the outbox and begins to publish.
     *
     * @throws ConfigurationException when the outbox is not fit for it; it names every problem
     * @throws IOException when the port for metrics cannot be used
     * @throws SQLException when the database does not answer
     * @throws org.apache.kafka.common.KafkaException when settings of Kafka's client are not good
     */
    public static PollingRelay start(Configuration configuration)
            throws ConfigurationException, IOException, SQLException {
        List<String> problems = new ArrayList<>();
        OutboxLayout layout;
        try (Connection connection = configuration.database().connect()) {
            layout = OutboxLayout.read(connection, configuration.columns(), problems)
                    .orElseThrow(
                            () -> new ConfigurationException("The database " + configuration.database(), problems));
        }
        ChangeRecords changes = new ChangeRecords(layout.columns(), configuration.sourceName(), layout.database());
        checkColumns(changes, layout, configuration);
        if (!layout.role().equals("outbox_relay")) {
            LOG.warn(
                    "Logged in as {}: rows that break the table's check cannot be marked, and hold up their shard."
                            + " Use outbox_relay.",
                    layout.role());
        }
        PollingRelay relay = new PollingRelay(
                configuration, layout, new EventRecords(changes, configuration.router()), new Counts());
        relay.begin(configuration);
        return relay;
    }

    /** The router looks at the columns with the first row: one that is made up tells before there is any. */
    private static void checkColumns(ChangeRecords changes, OutboxLayout layout, Configuration configuration)
            throws ConfigurationException {
        Map<String, String> options = new HashMap<>(configuration.router());
        options.put("on.invalid.event", "dead-letter");
        EventRow row = new EventRow(
                0,
                "",
                new AggregateKey(null, null),
                0,
                Instant.EPOCH,
                Collections.nCopies(layout.columns().size(), null));
        try {
            new EventRecords(changes, options).of(row, Instant.EPOCH);
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    "The database " + configuration.database(), List.of(String.valueOf(e.getMessage())));
        }
    }

    private void begin(Configuration configuration) {
        long tick = configuration.lease().toMillis() / TICKS_PER_LEASE;
        var ticking = timers.scheduleWithFixedDelay(shards::tick, 0, tick, TimeUnit.MILLISECONDS);
        long interval = configuration.retention().interval().toMillis();
        var cleaning = timers.scheduleWithFixedDelay(this::removeOld, interval, interval, TimeUnit.MILLISECONDS);
        assert !ticking.isDone() && !cleaning.isDone();
        daemon(calls, "relay-listener").start();
    }

    /** Where the metrics are. */
    public URI url() {
        return server.url();
    }

    /** What a metric is now. */
    public long count(RelayMetric metric) {
        return counts.get(metric);
    }

    private void removeOld() {
        try {
            int removed;
            do {
                removed = cleanUp.run();
                counts.add(RelayMetric.REMOVED, removed);
            } while (removed == cleanUp.batchRows() && !timers.isShutdown());
        } catch (SQLException | RuntimeException e) {
            LOG.warn("Old events were not removed: {}", e.toString());
        }
    }

    /** Ends after the batches that are under way. Without effect the second time. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        calls.close();
        timers.shutdown();
        try {
            if (!timers.awaitTermination(10, TimeUnit.SECONDS)) {
                timers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        shards.close();
        admin.close(Duration.ofSeconds(1));
        server.close();
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
