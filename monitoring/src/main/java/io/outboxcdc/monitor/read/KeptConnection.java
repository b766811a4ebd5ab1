package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.Reading;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * One connection that reads, kept, and made anew with growing pauses after a failure. Everything on it is bounded. Not
 * thread-safe.
 */
final class KeptConnection implements AutoCloseable {

    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final Logger LOG = LoggerFactory.getLogger(KeptConnection.class);
    private static final String STATEMENT_TIMEOUT_MILLIS = "2000";
    private static final String LOCK_TIMEOUT_MILLIS = "500";
    private static final String SECONDS = "3";

    private final String jdbcUrl;
    private final DatabaseTarget target;
    private final Backoff backoff = new Backoff();
    private @Nullable Connection connection;
    private String lastFailure = "not connected yet";

    /** To {@code jdbcUrl}, with the login of {@code target}; connects when it is first asked. */
    KeptConnection(String jdbcUrl, DatabaseTarget target) {
        this.jdbcUrl = jdbcUrl;
        this.target = target;
    }

    @FunctionalInterface
    interface Query<T> {
        T on(Connection connection) throws SQLException;
    }

    /** An answer, or why there is none; after a failure not before a pause that grows. */
    <T> Reading<T> attempt(Query<T> query) {
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
            if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                lastFailure += "; the monitor's user needs pg_monitor, and what sql/50_grants.sql gives outbox_monitor";
            }
            backoff.failed();
            close();
            return Reading.unknown(lastFailure);
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

    Connection open() throws SQLException {
        Connection existing = connection;
        if (existing != null) {
            return existing;
        }
        Properties properties = new Properties();
        properties.setProperty("user", target.user());
        if (!target.password().isEmpty()) {
            properties.setProperty("password", target.password());
        }
        properties.setProperty("ApplicationName", PostgresReader.APPLICATION_NAME);
        properties.setProperty("loginTimeout", SECONDS);
        properties.setProperty("connectTimeout", SECONDS);
        properties.setProperty("socketTimeout", SECONDS);
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty(
                "options",
                "-c statement_timeout=" + STATEMENT_TIMEOUT_MILLIS + " -c lock_timeout=" + LOCK_TIMEOUT_MILLIS
                        + " -c default_transaction_read_only=on -c search_path=pg_catalog,public");
        Connection fresh = DriverManager.getConnection(jdbcUrl, properties);
        connection = fresh;
        return fresh;
    }
}
