package io.outboxcdc.it.faults;

import dev.failsafe.RateLimiter;
import io.outboxcdc.client.ledger.Aggregate;
import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.stack.PostgresAddress;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Writers whose transactions overlap, hold several events of several aggregates, and are rolled back now and then. They
 * go on when the database comes back.
 *
 * <p>An event is acknowledged to the ledger only after its commit returned. When the connection is lost during a commit
 * nobody knows whether it happened, so its events are on neither list. Each event raises its aggregate's counter under
 * the row's lock, which is held until commit.
 */
final class Load implements AutoCloseable {

    private static final int WRITERS = 4;
    private static final int AGGREGATES = 40;
    private static final int ROLLBACK_ONE_IN = 12;
    private static final int MOST_EVENTS = 4;
    private static final List<String> TYPES = List.of("order", "customer", "invoice");

    private final PostgresAddress database;
    private final Ledger ledger;
    private final FlowWatch flow;
    private final RateLimiter<Object> rate;
    private final Random seeds;
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private volatile boolean stopped;

    private Load(PostgresAddress database, Ledger ledger, FlowWatch flow, double transactionsPerSecond, long seed) {
        this.database = database;
        this.ledger = ledger;
        this.flow = flow;
        this.rate = RateLimiter.smoothBuilder(Duration.ofNanos((long) (1_000_000_000 / transactionsPerSecond)))
                .build();
        this.seeds = new Random(seed);
    }

    /** Starts to write, at a rate of all writers together; an event and a half to a transaction, on average. */
    static Load start(PostgresAddress database, Ledger ledger, FlowWatch flow, double transactionsPerSecond, long seed)
            throws SQLException {
        createAggregates(database);
        Load load = new Load(database, ledger, flow, transactionsPerSecond, seed);
        for (int i = 0; i < WRITERS; i++) {
            Random random = new Random(load.seeds.nextLong());
            load.threads.execute(() -> load.write(random));
        }
        return load;
    }

    /** Ends the writers after their current transaction; what they acknowledged is then complete. */
    @Override
    public void close() {
        stopped = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("A writer hangs in its transaction for a minute.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void createAggregates(PostgresAddress database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS public.aggregate (
                        type text, id text, version bigint NOT NULL, PRIMARY KEY (type, id))""");
        }
    }

    private void write(Random random) {
        while (!stopped) {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                while (!stopped) {
                    rate.acquirePermit();
                    transact(connection, random);
                }
            } catch (SQLException e) {
                // The database is away, which may be the very fault of the trial: try again, at the load's pace.
                pause(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void transact(Connection connection, Random random) throws SQLException {
        List<Written> events = new ArrayList<>();
        for (Aggregate aggregate : choose(random)) {
            events.add(append(connection, aggregate));
            if (random.nextInt(4) == 0) {
                pause(random.nextInt(10));
            }
        }
        if (random.nextInt(ROLLBACK_ONE_IN) == 0) {
            connection.rollback();
            events.forEach(event -> ledger.rolledBack(event.id));
            return;
        }
        flow.commitIsSent(events.stream().map(Written::id).toList());
        connection.commit();
        events.forEach(event -> ledger.committed(event.id, event.aggregate, event.version));
    }

    /** In one order for all writers, so that none waits for another in a circle. */
    private static List<Aggregate> choose(Random random) {
        TreeSet<Integer> numbers = new TreeSet<>();
        int events = random.nextInt(3) == 0 ? 1 + random.nextInt(MOST_EVENTS) : 1;
        while (numbers.size() < events) {
            numbers.add(random.nextInt(AGGREGATES));
        }
        return numbers.stream()
                .map(number -> new Aggregate(TYPES.get(number % TYPES.size()), "a" + number))
                .toList();
    }

    private static Written append(Connection connection, Aggregate aggregate) throws SQLException {
        long version;
        try (PreparedStatement raise = connection.prepareStatement("""
                INSERT INTO public.aggregate AS a VALUES (?, ?, 1)
                ON CONFLICT (type, id) DO UPDATE SET version = a.version + 1 RETURNING version""")) {
            raise.setString(1, aggregate.type());
            raise.setString(2, aggregate.id());
            try (ResultSet row = raise.executeQuery()) {
                row.next();
                version = row.getLong(1);
            }
        }
        UUID id = UUID.randomUUID();
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO public.outbox (id, aggregate_type, aggregate_id, event_type, payload)
                VALUES (?, ?, ?, 'Changed', jsonb_build_object('version', ?, 'text', repeat('x', 200)))""")) {
            insert.setObject(1, id);
            insert.setString(2, aggregate.type());
            insert.setString(3, aggregate.id());
            insert.setLong(4, version);
            insert.executeUpdate();
        }
        return new Written(id, aggregate, version);
    }

    private static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private record Written(UUID id, Aggregate aggregate, long version) {}
}
