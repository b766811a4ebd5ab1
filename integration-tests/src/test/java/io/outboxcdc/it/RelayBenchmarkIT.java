package io.outboxcdc.it;

import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.JvmProfile;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.PostgresAddress;
import io.outboxcdc.stack.StartupProgress;
import io.outboxcdc.stack.sql.OutboxSql;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prints how fast the relay is beside the connector: a backlog that is drained by one instance, and the time from commit to
 * consumer at a steady rate. Nothing about the figures is asserted: they are the machine's.
 */
@Tag("benchmark")
class RelayBenchmarkIT {

    private static final int BACKLOG = Integer.getInteger("relay.benchmark.events", 40_000);
    private static final int RATE = 1_000;
    private static final int STEADY = RATE * Integer.getInteger("relay.benchmark.seconds", 10);
    private static final int WRITERS = 4;
    private static final int AGGREGATES = 1_000;
    private static final String TOPIC = "outbox.event.bench";
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long PATIENCE_NANOS = Duration.ofMinutes(3).toNanos();

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // in the test
    RelayBenchmarkIT() {}

    /** What was seen of one way. */
    private record Figures(double drainedPerSecond, double p50, double p99) {}

    @Test
    void printsItsFiguresBesideTheConnectors() throws Exception {
        try (OutboxPipeline pipeline = OutboxPipeline.startWithoutConnector(
                TestHome.options().withJvms(JvmProfile.THROUGHPUT),
                GivenDatabaseConsent.NONE,
                StartupProgress.SILENT)) {
            PostgresAddress database = pipeline.stack().postgres();
            try (Connection connection = database.connect()) {
                OutboxSql.inFolder(TestHome.path().resolve("sql"))
                        .with("outbox.polling", "on")
                        .applyTo(connection);
            }
            RelayStack.letRelayLogIn(database);
            try (Admin admin =
                    Admin.create(Map.of("bootstrap.servers", pipeline.stack().bootstrapServers()))) {
                admin.createTopics(List.of(new NewTopic(TOPIC, 3, (short) 1)))
                        .all()
                        .get();
            }
            try (Reader reader = new Reader(pipeline.stack().bootstrapServers())) {
                write(database, BACKLOG);
                pipeline.deployConnector();
                double drained = reader.drain(BACKLOG);
                Figures cdc = figures(drained, reader, database);
                pipeline.stack().connect().delete(OutboxPipeline.CONNECTOR);

                OutboxTable outbox = new OutboxTable(database);
                outbox.execute("ALTER TABLE outbox ALTER COLUMN published_at DROP DEFAULT");
                outbox.execute("TRUNCATE outbox");
                write(database, BACKLOG);
                try (RelayProcess relay = RelayProcess.startCompiled(
                        folder,
                        "relay",
                        RelayStack.jdbcUrl(database),
                        pipeline.stack().bootstrapServers(),
                        Map.of())) {
                    relay.awaitReady();
                    drained = reader.drain(BACKLOG);
                    Figures polling = figures(drained, reader, database);
                    System.out.printf(
                            "relay: backlog of %d drained by the connector %.0f/s, by the relay %.0f/s, %.2f times;"
                                    + " commit to consumer at %d/s: connector p50 %.0f ms p99 %.0f ms, relay p50 %.0f ms p99"
                                    + " %.0f ms%n",
                            BACKLOG,
                            cdc.drainedPerSecond,
                            polling.drainedPerSecond,
                            polling.drainedPerSecond / cdc.drainedPerSecond,
                            RATE,
                            cdc.p50,
                            cdc.p99,
                            polling.p50,
                            polling.p99);
                    assertThat(relay.metric("outbox_relay_published_total")).isEqualTo(BACKLOG + STEADY);
                }
            }
        }
    }

    private static Figures figures(double drained, Reader reader, PostgresAddress database) throws Exception {
        List<Double> latencies = reader.latencies(database);
        return new Figures(
                drained, latencies.get(latencies.size() / 2), latencies.get((int) (latencies.size() * 0.99)));
    }

    /** In transactions of ten events. */
    private static void write(PostgresAddress database, int events) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement insert = insert(connection)) {
            connection.setAutoCommit(false);
            for (int i = 1; i <= events; i++) {
                fill(insert, i);
                insert.addBatch();
                if (i % 10 == 0) {
                    insert.executeBatch();
                    connection.commit();
                }
            }
            insert.executeBatch();
            connection.commit();
        }
    }

    /** One event a transaction, at a rate of all writers together. */
    private static void writeSteadily(PostgresAddress database) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement insert = insert(connection)) {
            long begin = System.nanoTime();
            for (int i = 0; i < STEADY / WRITERS; i++) {
                long due = begin + (long) i * 1_000_000_000L * WRITERS / RATE;
                long wait = due - System.nanoTime();
                if (wait > 0) {
                    java.util.concurrent.locks.LockSupport.parkNanos(wait);
                }
                fill(insert, i);
                insert.executeUpdate();
            }
        }
    }

    private static PreparedStatement insert(Connection connection) throws SQLException {
        return connection.prepareStatement("INSERT INTO public.outbox"
                + " (id, aggregate_type, aggregate_id, event_type, payload) VALUES (?, 'bench', ?, 'Timed', ?::jsonb)");
    }

    private static void fill(PreparedStatement insert, int number) throws SQLException {
        insert.setObject(1, UUID.randomUUID());
        insert.setString(2, "k" + number % AGGREGATES);
        insert.setString(3, "{\"sent\": " + System.nanoTime() + ", \"filler\": \"" + "x".repeat(360) + "\"}");
        // The time of sending stands for that of the commit, so the commit itself counts as well.
    }

    /** A {@code read_committed} consumer of all partitions, from its place on. */
    private static final class Reader implements AutoCloseable {

        private final KafkaConsumer<String, String> consumer;

        Reader(String bootstrapServers) {
            consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                    new StringDeserializer(),
                    new StringDeserializer());
            List<TopicPartition> partitions = IntStream.range(0, 3)
                    .mapToObj(partition -> new TopicPartition(TOPIC, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
        }

        /** Events a second, from the first that is seen to the last. */
        double drain(int events) {
            int first = 0;
            while (first == 0) {
                first = consumer.poll(POLL).count();
            }
            long begin = System.nanoTime();
            int seen = first;
            while (seen < events) {
                seen += consumer.poll(POLL).count();
                checkPatience(begin, seen, events);
            }
            return (events - first) / ((System.nanoTime() - begin) / 1e9);
        }

        /** In milliseconds, sorted. */
        List<Double> latencies(PostgresAddress database) throws Exception {
            ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
            try {
                List<Future<?>> writing = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    writing.add(writers.submit(() -> {
                        writeSteadily(database);
                        return null;
                    }));
                }
                List<Double> latencies = new ArrayList<>();
                long begin = System.nanoTime();
                while (latencies.size() < STEADY) {
                    for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                        latencies.add((System.nanoTime() - sent(record.value())) / 1e6);
                    }
                    checkPatience(begin, latencies.size(), STEADY);
                }
                for (Future<?> each : writing) {
                    each.get();
                }
                return latencies.stream().sorted().toList();
            } finally {
                writers.shutdownNow();
            }
        }

        private static long sent(String value) {
            int from = value.indexOf("\"sent\": ") + "\"sent\": ".length();
            int to = value.indexOf(',', from) < 0 ? value.indexOf('}', from) : value.indexOf(',', from);
            return Long.parseLong(value.substring(from, to));
        }

        private static void checkPatience(long begin, int seen, int events) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new IllegalStateException("After three minutes " + seen + " of " + events + " events were seen.");
            }
        }

        @Override
        public void close() {
            consumer.close();
        }
    }
}
