package io.outboxcdc.client.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;

/**
 * The outbox as the application sees it: an event is appended in the transaction of the change that it tells of. Either
 * both are committed or neither, whatever fails; the pipeline does the rest.
 *
 * <p>A batch is one JDBC batch, which {@code reWriteBatchedInserts=true} of the PostgreSQL driver makes one statement.
 * The role needs INSERT on the table and nothing else. Thread-safe; a connection serves one thread at a time.
 */
public final class Outbox {

    private final String table;
    private final String insert;
    private final EventRows rows;

    Outbox(String table, EventRows rows) {
        this.table = table;
        this.rows = rows;
        this.insert = "INSERT INTO " + table
                + " (id, aggregate_type, aggregate_id, event_type, payload, headers) VALUES (?, ?, ?, ?, ?, ?)";
    }

    /** The table {@code public.outbox}, JSON by Jackson and the trace of OpenTelemetry, each if it is there. */
    public static Outbox create() {
        return builder().build();
    }

    /** For what {@link #create()} does not say. */
    public static OutboxBuilder builder() {
        return new OutboxBuilder();
    }

    /**
     * Appends an event to the transaction of the caller.
     *
     * @return the event's id
     * @throws InvalidEventException when it could not be published; nothing was sent to the database
     * @throws IllegalStateException when the connection is in auto-commit mode
     * @throws OutboxWriteException when the database refuses it; the transaction has to be rolled back
     */
    public UUID append(Connection connection, OutboxEvent event) throws SQLException {
        return append(connection, List.of(event)).get(0);
    }

    /**
     * Appends events in their order; all of them or, when one cannot be published, none.
     *
     * @return the ids, in the order of the events
     * @throws InvalidEventException as above, with the problems of all events
     * @throws IllegalStateException as above
     * @throws OutboxWriteException as above
     */
    public List<UUID> append(Connection connection, List<OutboxEvent> events) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "The connection is in auto-commit mode, so the event would be committed apart"
                            + " from the change that it tells of. Begin a transaction, connection.setAutoCommit(false) or that"
                            + " of the framework, make the change and append the event, then commit.");
        }
        List<OutboxRow> checked = rows.of(events);
        List<UUID> ids = checked.stream().map(OutboxRow::id).toList();
        if (checked.isEmpty()) {
            return ids;
        }
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            write(statement, checked);
        } catch (SQLException e) {
            throw OutboxWriteException.of(table, ids, e);
        }
        return ids;
    }

    private static void write(PreparedStatement statement, List<OutboxRow> rows) throws SQLException {
        if (rows.size() == 1) {
            bind(statement, rows.get(0));
            statement.executeUpdate();
            return;
        }
        for (OutboxRow row : rows) {
            bind(statement, row);
            statement.addBatch();
        }
        statement.executeBatch();
    }

    /** Types.OTHER leaves the type to the server: the payload's column may be jsonb, json or text. */
    private static void bind(PreparedStatement statement, OutboxRow row) throws SQLException {
        statement.setObject(1, row.id());
        statement.setString(2, row.aggregateType());
        statement.setString(3, row.aggregateId());
        statement.setString(4, row.eventType().orElse(null));
        if (row.payloadBytes().isPresent()) {
            statement.setBytes(5, row.payloadBytes().get());
        } else {
            statement.setObject(5, row.payloadText().orElse(null), Types.OTHER);
        }
        statement.setObject(6, row.headers().isEmpty() ? null : HeadersJson.of(row.headers()), Types.OTHER);
    }
}
