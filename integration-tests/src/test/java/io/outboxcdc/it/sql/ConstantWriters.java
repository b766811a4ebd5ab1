package io.outboxcdc.it.sql;

import org.awaitility.Awaitility;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Applications that write one event after the other, and give up when they wait too long for a lock. */
final class ConstantWriters implements AutoCloseable {
    private static final long MOMENT = 40;

    private final ExecutorService threads;

    private final List<CompletableFuture<Void>> writers = new ArrayList<>();

    private final AtomicLong written = new AtomicLong();

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    private volatile boolean stopped;

    private ConstantWriters(int count) {
        threads = Executors.newFixedThreadPool(count);
    }

    /** @param lockTimeout the longest that any of their statements may wait for a lock, as PostgreSQL writes it */
    static ConstantWriters start(TestDatabase database, int count, String lockTimeout) {
        ConstantWriters writers = new ConstantWriters(count);
        for (int writer = 0; writer < count; writer++) {
            writers.writers.add(
                    CompletableFuture.runAsync(() -> writers.write(database, lockTimeout), writers.threads));
        }
        writers.awaitProgress();
        return writers;
    }

    /** Waits until they have written some more. */
    void awaitProgress() {
        long before = written.get();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> written.get() > before + MOMENT || !failures.isEmpty());
    }

    long written() {
        return written.get();
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        stopped = true;
        writers.forEach(CompletableFuture::join);
        threads.shutdown();
    }

    private void write(TestDatabase database, String lockTimeout) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '" + lockTimeout + "'");
            while (!stopped) {
                statement.execute(Events.INSERT);
                written.incrementAndGet();
            }
        } catch (SQLException e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }
}
