package io.outboxcdc.relay.database;

import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Listens for the notifications of writers. Without them the relay polls, so a lost one costs time and nothing else. */
public final class WakeUpCalls implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WakeUpCalls.class);
    private static final int LISTEN_MS = 1_000;

    private final Database database;
    private final Duration pause;
    private final Runnable wake;
    private volatile boolean closed;

    /**
     * Listens once it runs.
     *
     * @param pause before a connection is tried again
     * @param wake  called for each bunch of notifications
     */
    public WakeUpCalls(Database database, Duration pause, Runnable wake) {
        this.database = database;
        this.pause = pause;
        this.wake = wake;
    }

    @Override
    public void run() {
        while (!closed) {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("LISTEN outbox");
                // What came while nobody listened.
                wake.run();
                listen(connection.unwrap(PGConnection.class));
            } catch (SQLException e) {
                LOG.warn("Nobody listens for new events, they are polled for: {}", e.getMessage());
                pause();
            }
        }
    }

    private void listen(PGConnection connection) throws SQLException {
        while (!closed) {
            PGNotification[] calls = connection.getNotifications(LISTEN_MS);
            if (calls != null && calls.length > 0) {
                wake.run();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /** Ends within a second or so. */
    @Override
    public void close() {
        closed = true;
    }
}
