package io.outboxcdc.cli.demo;

import dev.failsafe.RateLimiter;
import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.stack.PostgresAddress;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Several writers of orders at once, each with its own connection, which meet at the same customers and orders. About
 * one transaction in twelve is rolled back. What committed goes into the ledger, what was rolled back too.
 */
public final class OrderWriters implements AutoCloseable {

    /** A transaction failed for another reason than being rolled back on purpose. */
    public static final class WriterFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        WriterFailure(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }

    private static final int WRITERS = 4;
    private static final int ROLLBACK_ONE_IN = 12;

    private final PostgresAddress database;
    private final Ledger ledger;
    private final CommitClock clock;
    private final AtomicLong budget;
    private final RateLimiter<Object> rate;
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final List<CompletableFuture<Void>> writers = new ArrayList<>();
    private volatile boolean stopped;

    private OrderWriters(
            PostgresAddress database, Ledger ledger, CommitClock clock, long events, double eventsPerSecond) {
        this.database = database;
        this.ledger = ledger;
        this.clock = clock;
        this.budget = new AtomicLong(events);
        this.rate = RateLimiter.smoothBuilder(Duration.ofNanos((long) (1_000_000_000 / eventsPerSecond)))
                .build();
    }

    /**
     * Starts to write.
     *
     * @param events how many events to commit, exactly
     * @param eventsPerSecond the rate of all writers together
     */
    public static OrderWriters start(
            PostgresAddress database, Ledger ledger, CommitClock clock, long events, double eventsPerSecond) {
        OrderWriters writers = new OrderWriters(database, ledger, clock, events, eventsPerSecond);
        for (int i = 0; i < WRITERS; i++) {
            writers.writers.add(CompletableFuture.runAsync(writers::write, writers.threads));
        }
        return writers;
    }

    /**
     * Waits until all events are committed.
     *
     * @return false when that took longer than the given time
     * @throws WriterFailure when a writer failed
     */
    public boolean await(Duration atMost) throws InterruptedException {
        try {
            CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new))
                    .get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new WriterFailure(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    /** Ends the writers after their current transaction. */
    @Override
    public void close() {
        stopped = true;
        threads.shutdownNow();
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> null)
                .join();
    }

    private void write() {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            while (!stopped && budget.get() > 0) {
                rate.acquirePermit();
                writeOne(connection);
            }
        } catch (SQLException e) {
            throw new CompletionException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeOne(Connection connection) throws SQLException {
        OrderTransaction transaction = new OrderTransaction(connection);
        fill(transaction);
        List<OrderTransaction.Appended> events = transaction.appended();
        if (ThreadLocalRandom.current().nextInt(ROLLBACK_ONE_IN) == 0 || !take(events.size())) {
            connection.rollback();
            events.forEach(event -> ledger.rolledBack(event.id()));
            return;
        }
        clock.commitIsSent(events.stream().map(OrderTransaction.Appended::id).toList());
        connection.commit();
        events.forEach(event -> ledger.committed(event.id(), event.aggregate(), event.version()));
    }

    private void fill(OrderTransaction transaction) throws SQLException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String customer = "C" + (1 + random.nextInt(DemoSchema.CUSTOMERS));
        // The last event of the budget must be able to fit, so the choice of one event is always there.
        if (random.nextInt(4) == 0) {
            transaction.placeOrder(customer);
        } else if (random.nextInt(4) == 0 || !transaction.advanceOrder()) {
            transaction.changeAddress(customer);
        }
    }

    private boolean take(int events) {
        return budget.getAndUpdate(left -> left >= events ? left - events : left) >= events;
    }
}
