package io.outboxcdc.it;

import io.outboxcdc.stack.PostgresAddress;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The database's side of a test. */
final class OutboxTable {

    private static final int ROWS_OF_A_TRANSACTION = 500;

    private static final String INSERT = """
            INSERT INTO public.outbox (id, aggregate_type, aggregate_id, event_type, payload, headers)
            VALUES (?, ?, ?, ?, ?::jsonb, ?::jsonb)""";

    private final PostgresAddress database;

    OutboxTable(PostgresAddress database) {
        this.database = database;
    }

    UUID insert(OutboxRow row) throws SQLException {
        try (Connection connection = database.connect()) {
            return insert(connection, row);
        }
    }

    void insertAndRollBack(OutboxRow row) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            insert(connection, row);
            connection.rollback();
        }
    }

    /** In transactions of some hundred rows each, in the order of the map. */
    void insertAll(Map<UUID, OutboxRow> rows) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            connection.setAutoCommit(false);
            int waiting = 0;
            for (Map.Entry<UUID, OutboxRow> row : rows.entrySet()) {
                fill(insert, row.getKey(), row.getValue());
                insert.addBatch();
                if (++waiting % ROWS_OF_A_TRANSACTION == 0) {
                    insert.executeBatch();
                    connection.commit();
                }
            }
            insert.executeBatch();
            connection.commit();
        }
    }

    /** Makes of it a table that takes every row that its column types allow. */
    void dropAllChecks() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            List<String> drops = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("""
                    SELECT format('ALTER TABLE public.outbox DROP CONSTRAINT %I', conname)
                    FROM pg_constraint WHERE conrelid = 'public.outbox'::regclass AND contype = 'c'
                    UNION ALL
                    SELECT format('ALTER TABLE public.outbox ALTER COLUMN %I DROP NOT NULL', attname)
                    FROM pg_attribute WHERE attrelid = 'public.outbox'::regclass
                        AND attnum > 0 AND attnotnull AND attname <> 'id'""")) {
                while (rows.next()) {
                    drops.add(rows.getString(1));
                }
            }
            for (String drop : drops) {
                statement.execute(drop);
            }
        }
    }

    /** As a table without our checks would take it; the checks are back when this returns. */
    UUID insertUnchecked(OutboxRow row) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            List<String> checks = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("""
                    SELECT format('ALTER TABLE public.outbox ADD CONSTRAINT %I %s NOT VALID',
                                  conname, pg_get_constraintdef(oid)) AS back,
                           format('ALTER TABLE public.outbox DROP CONSTRAINT %I', conname) AS away
                    FROM pg_constraint WHERE conrelid = 'public.outbox'::regclass AND contype = 'c'""")) {
                List<String> away = new ArrayList<>();
                while (rows.next()) {
                    checks.add(rows.getString("back"));
                    away.add(rows.getString("away"));
                }
                for (String drop : away) {
                    try (Statement alter = connection.createStatement()) {
                        alter.execute(drop);
                    }
                }
            }
            UUID id = insert(connection, row);
            for (String check : checks) {
                statement.execute(check);
            }
            connection.commit();
            return id;
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String payloadText(UUID id) throws SQLException {
        return text("SELECT payload::text FROM public.outbox WHERE id = '" + id + "'");
    }

    /** Traffic that the publication leaves out. */
    void writeElsewhere() throws SQLException {
        execute("CREATE TABLE IF NOT EXISTS public.elsewhere (n int, filler text)");
        execute("INSERT INTO public.elsewhere SELECT n, repeat('x', 500) FROM generate_series(1, 20000) n");
    }

    String walPosition() throws SQLException {
        return text("SELECT pg_current_wal_insert_lsn()::text");
    }

    boolean slotHasConfirmed(String position) throws SQLException {
        return text("SELECT (confirmed_flush_lsn >= '" + position
                        + "'::pg_lsn)::text FROM pg_replication_slots WHERE slot_name = 'outbox'")
                .equals("true");
    }

    boolean slotIsFree() throws SQLException {
        return text("SELECT (NOT active)::text FROM pg_replication_slots WHERE slot_name = 'outbox'")
                .equals("true");
    }

    boolean slotIsRead(String slot) throws SQLException {
        return text("SELECT active::text FROM pg_replication_slots WHERE slot_name = '" + slot + "'")
                .equals("true");
    }

    private String text(String query) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private static UUID insert(Connection connection, OutboxRow row) throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            fill(insert, id, row);
            insert.executeUpdate();
        }
        return id;
    }

    private static void fill(PreparedStatement insert, UUID id, OutboxRow row) throws SQLException {
        insert.setObject(1, id);
        insert.setString(2, row.aggregateType());
        insert.setString(3, row.aggregateId());
        insert.setString(4, row.type());
        insert.setString(5, row.payload());
        insert.setString(6, row.headers());
    }
}
