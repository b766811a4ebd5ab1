package io.outboxcdc.cli.verify;

import io.outboxcdc.client.ledger.Aggregate;
import io.outboxcdc.client.ledger.Reconciliation;
import io.outboxcdc.client.ledger.Sequence;
import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/** The database's side: rows in one snapshot, and a position of the WAL behind which all of them lie. */
final class OutboxDatabase implements AutoCloseable {

    /**
     * What was read.
     *
     * @param position a position in the WAL after the commit of every row that was read
     * @param order what the order was read from
     * @param readAt the server's time then
     */
    record RowsRead(long rows, String position, OrderSource order, Instant readAt) {}

    private static final String SCHEME = "jdbc:postgresql:";
    private static final int FETCH_ROWS = 5_000;
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final Connection connection;

    private OutboxDatabase(Connection connection) {
        this.connection = connection;
    }

    static OutboxDatabase connect(VerifyOptions options) {
        if (!options.jdbcUrl().startsWith(SCHEME)) {
            // The driver's own message would repeat the URL, and with it a password.
            throw new CannotVerifyException(
                    "--jdbc-url is no JDBC URL of PostgreSQL. Expected " + SCHEME + "//host:port/database?user=...");
        }
        Properties properties = new Properties();
        options.password().ifPresent(password -> properties.setProperty("password", password));
        properties.setProperty("loginTimeout", "10");
        properties.setProperty("ApplicationName", "outboxctl verify");
        properties.setProperty("defaultRowFetchSize", Integer.toString(FETCH_ROWS));
        try {
            return new OutboxDatabase(DriverManager.getConnection(options.jdbcUrl(), properties));
        } catch (SQLException e) {
            throw new CannotVerifyException("The database of --jdbc-url cannot be reached: " + e.getMessage());
        }
    }

    Connection connection() {
        return connection;
    }

    RowsRead readInto(Reconciliation ledger, VerifyOptions options, VerifyProgress progress) {
        try {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            // The first query takes the snapshot; a position that is asked for after it lies behind every row in it.
            OutboxColumns columns = OutboxColumns.read(connection, options.table());
            OrderSource order = order(options.orderBy());
            columns.check(order);
            String position = text("SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()"
                    + " ELSE pg_current_wal_insert_lsn() END)::text");
            Instant readAt = Instant.parse(
                    text("SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
            long rows = read(columns, order, ledger, options, progress);
            connection.commit();
            connection.setAutoCommit(true);
            return new RowsRead(rows, position, order, readAt);
        } catch (SQLException e) {
            throw new CannotVerifyException(
                    "The rows of %s cannot be read: %s".formatted(options.table(), e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new CannotVerifyException("The connection to the database cannot be closed: " + e.getMessage(), e);
        }
    }

    private OrderSource order(Optional<OrderSource> wanted) throws SQLException {
        boolean commitTimes =
                text("SELECT current_setting('track_commit_timestamp')").equals("on");
        if (!commitTimes
                && wanted.filter(OrderSource.CommitTime.class::isInstance).isPresent()) {
            throw new CannotVerifyException("--order-by is commit-time, and the server does not keep commit times."
                    + " Set track_commit_timestamp = on (rows written from then on can be judged), or name a counter.");
        }
        return wanted.orElse(commitTimes ? new OrderSource.CommitTime() : new OrderSource.None());
    }

    private long read(
            OutboxColumns columns,
            OrderSource order,
            Reconciliation ledger,
            VerifyOptions options,
            VerifyProgress progress)
            throws SQLException {
        List<String> conditions = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        filter(columns, options, conditions, values);
        try (PreparedStatement query = connection.prepareStatement(columns.query(order, conditions))) {
            for (int i = 0; i < values.size(); i++) {
                query.setObject(i + 1, values.get(i));
            }
            long count = 0;
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    note(rows, columns, ledger);
                    progress.count("rows read", ++count);
                }
            }
            return count;
        } catch (SQLException e) {
            if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                connection.rollback();
                String role = text("SELECT quote_ident(current_user)");
                throw new CannotVerifyException(
                        "Role %s may not read what the check needs of %s. Let its owner run: %s;"
                                .formatted(role, columns.table(), columns.grant(role, order)));
            }
            throw e;
        }
    }

    private void filter(OutboxColumns columns, VerifyOptions options, List<String> conditions, List<Object> values) {
        if ((options.since().isPresent() || options.until().isPresent()) && !columns.hasTime()) {
            throw new CannotVerifyException(
                    "Table %s has no column created_at, so --since and --until cannot be applied."
                            .formatted(columns.table()));
        }
        options.since().ifPresent(since -> {
            conditions.add("created_at >= ?");
            values.add(since.atOffset(ZoneOffset.UTC));
        });
        options.until().ifPresent(until -> {
            conditions.add("created_at < ?");
            values.add(until.atOffset(ZoneOffset.UTC));
        });
        if (!options.aggregateTypes().isEmpty()) {
            conditions.add(columns.typeColumn() + "::text = ANY (?)");
            values.add(options.aggregateTypes().toArray(String[]::new));
        }
    }

    private static void note(ResultSet row, OutboxColumns columns, Reconciliation ledger) throws SQLException {
        UUID id = EventId.parse(row.getString(1))
                .orElseThrow(() -> new CannotVerifyException("Column id of table %s (%s) holds a value that is no UUID;"
                                .formatted(columns.table(), columns.types().get("id"))
                        + " the check knows events by UUIDs only."));
        long createdAt = row.getLong(4);
        if (row.wasNull()) {
            createdAt = Long.MIN_VALUE;
        }
        long major = row.getLong(5);
        @Nullable Sequence sequence = row.wasNull() ? null : new Sequence(major, row.getLong(6));
        ledger.committed(id, new Aggregate(orEmpty(row.getString(2)), orEmpty(row.getString(3))), createdAt, sequence);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private String text(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }
}
