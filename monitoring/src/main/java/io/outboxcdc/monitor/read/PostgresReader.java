package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.OutboxFacts;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.ServerFacts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Reads one database over one connection, which is kept, and made anew with growing pauses after a failure. Everything is
 * bounded: a server that hangs costs seconds. Not thread-safe.
 */
public final class PostgresReader implements AutoCloseable {

    /** How the monitor shows in {@code pg_stat_activity}. */
    public static final String APPLICATION_NAME = "slot-monitor";

    private static final Logger LOG = LoggerFactory.getLogger(PostgresReader.class);
    private static final String STATEMENT_TIMEOUT_MILLIS = "2000";
    private static final String LOCK_TIMEOUT_MILLIS = "500";
    private static final String SECONDS = "3";
    private static final int TABLE_SIZES_EVERY = 12;

    private final DatabaseTarget target;
    private final Backoff backoff = new Backoff();
    private @Nullable Connection connection;
    private String lastFailure = "not connected yet";
    private Map<String, OutboxFacts> outboxes = Map.of();
    private int samples;

    /** Reads this database; connects at the first reading. */
    public PostgresReader(DatabaseTarget target) {
        this.target = target;
    }

    /** The state of the server, its slots and its publications. */
    public Reading<ServerFacts> read() {
        return attempt(open -> {
            if (samples++ % TABLE_SIZES_EVERY == 0) {
                outboxes = tableSizes(open);
            }
            return new ServerReading(open, target).read(outboxes);
        });
    }

    /** The end of the WAL now. */
    public Optional<Lsn> head() {
        return attempt(open -> {
                    try (Statement statement = open.createStatement();
                            ResultSet row = statement.executeQuery(ServerSql.HEAD)) {
                        row.next();
                        return Lsn.parse(row.getString(1));
                    }
                })
                .value();
    }

    /**
     * Writes a heartbeat into the WAL, so that a reader with nothing to read has something to confirm.
     *
     * @throws SQLException when that cannot be
     */
    public void emitHeartbeat() throws SQLException {
        try (Statement statement = open().createStatement()) {
            statement.execute(ServerSql.HEARTBEAT);
        }
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.debug("The connection to {} was not closed in order.", target, e);
            }
        }
    }

    @FunctionalInterface
    private interface Query<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> Reading<T> attempt(Query<T> query) {
        if (connection == null && !backoff.mayTry()) {
            return Reading.unknown(lastFailure);
        }
        try {
            T answer = query.on(open());
            backoff.succeeded();
            return Reading.known(answer);
        } catch (SQLException e) {
            lastFailure = e.getSQLState() == null
                    ? String.valueOf(e.getMessage())
                    : e.getMessage() + " (SQLSTATE " + e.getSQLState() + ")";
            lastFailure = lastFailure.lines().findFirst().orElse(lastFailure);
            backoff.failed();
            close();
            return Reading.unknown(lastFailure);
        }
    }

    private Map<String, OutboxFacts> tableSizes(Connection open) {
        try {
            return new TableReading(open).read(target.slots());
        } catch (SQLException e) {
            LOG.debug("The sizes of the outboxes in {} cannot be read.", target, e);
            return outboxes;
        }
    }

    private Connection open() throws SQLException {
        Connection existing = connection;
        if (existing != null) {
            return existing;
        }
        Properties properties = new Properties();
        properties.setProperty("user", target.user());
        if (!target.password().isEmpty()) {
            properties.setProperty("password", target.password());
        }
        properties.setProperty("ApplicationName", APPLICATION_NAME);
        properties.setProperty("loginTimeout", SECONDS);
        properties.setProperty("connectTimeout", SECONDS);
        properties.setProperty("socketTimeout", SECONDS);
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty(
                "options",
                "-c statement_timeout=" + STATEMENT_TIMEOUT_MILLIS + " -c lock_timeout=" + LOCK_TIMEOUT_MILLIS
                        + " -c default_transaction_read_only=on -c search_path=pg_catalog,public");
        Connection fresh = DriverManager.getConnection(target.jdbcUrl(), properties);
        connection = fresh;
        return fresh;
    }
}
