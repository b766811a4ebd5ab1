package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.OutboxFacts.Publication;
import io.outboxcdc.stack.sql.OutboxFacts.Role;
import io.outboxcdc.stack.sql.OutboxFacts.Server;
import io.outboxcdc.stack.sql.OutboxFacts.Slot;
import io.outboxcdc.stack.sql.OutboxFacts.Table;
import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads {@link OutboxFacts} from the catalogs of PostgreSQL 14 to 18; any role may. */
final class OutboxFactsReader {
    private static final int COLUMN_LISTS_SINCE = 15;

    private static final String SERVER = """
            SELECT current_database() AS database, current_setting('wal_level') AS wal_level,
                current_setting('max_replication_slots')::int AS max_slots,
                (SELECT count(*) FROM pg_replication_slots) AS used_slots,
                current_setting('max_wal_senders')::int AS max_wal_senders,
                (SELECT count(*) FROM pg_stat_replication) AS used_wal_senders
            """;

    private static final String TABLE = """
            SELECT c.relpersistence = 'p' AS logged, a.attname AS name,
                format_type(a.atttypid, a.atttypmod) AS type
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE n.nspname = ? AND c.relname = ? AND c.relkind IN ('r', 'p')
            ORDER BY a.attnum
            """;

    private static final String PUBLICATION_COLUMNS = """
            SELECT p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate, p.pubviaroot,
            """;

    private static final String PUBLICATION_FROM = """
            FROM pg_publication p
            LEFT JOIN (pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = ?)
                ON c.relname = ? AND c.relkind IN ('r', 'p')
            LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid AND r.prrelid = c.oid
            WHERE p.pubname = ?
            """;

    private static final String PUBLICATION_14 = PUBLICATION_COLUMNS + """
            p.puballtables OR r.oid IS NOT NULL AS covers, NULL::text[] AS columns
            """ + PUBLICATION_FROM;

    private static final String PUBLICATION_15 = PUBLICATION_COLUMNS + """
            p.puballtables OR r.oid IS NOT NULL OR EXISTS (
                SELECT FROM pg_publication_namespace s WHERE s.pnpubid = p.oid AND s.pnnspid = c.relnamespace) AS covers,
            (SELECT array_agg(a.attname::text) FROM pg_attribute a
                WHERE a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs)) AS columns
            """ + PUBLICATION_FROM;

    private static final String SLOT = """
            SELECT s.plugin, s.database, coalesce(s.wal_status, 'unknown') AS wal_status,
                'pid ' || s.active_pid || coalesce(', role ' || a.usename, '')
                    || coalesce(', application ' || nullif(a.application_name, ''), '')
                    || coalesce(', from ' || host(a.client_addr), '') AS holder
            FROM pg_replication_slots s LEFT JOIN pg_stat_activity a ON a.pid = s.active_pid
            WHERE s.slot_name = ?
            """;

    private static final String ROLE = """
            SELECT r.rolcanlogin, r.rolreplication OR r.rolsuper OR EXISTS (
                SELECT FROM pg_roles m WHERE m.rolname = 'rds_replication' AND pg_has_role(r.oid, m.oid, 'MEMBER'))
                AS may_replicate
            FROM pg_roles r WHERE r.rolname = ?
            """;

    private OutboxFactsReader() {}

    static OutboxFacts read(Connection connection, OutboxTarget target) throws SQLException {
        return new OutboxFacts(
                server(connection),
                table(connection, target),
                publication(connection, target),
                slot(connection, target),
                role(connection, target));
    }

    private static Server server(Connection connection) throws SQLException {
        try (PreparedStatement query = prepare(connection, SERVER);
                ResultSet row = query.executeQuery()) {
            row.next();
            return new Server(
                    row.getString("database"),
                    row.getString("wal_level"),
                    row.getInt("max_slots"),
                    row.getInt("used_slots"),
                    row.getInt("max_wal_senders"),
                    row.getInt("used_wal_senders"));
        }
    }

    private static Optional<Table> table(Connection connection, OutboxTarget target) throws SQLException {
        try (PreparedStatement query = prepare(connection, TABLE, target.schema(), target.table());
                ResultSet row = query.executeQuery()) {
            Optional<Table> table = Optional.empty();
            Map<String, String> columnTypes = new LinkedHashMap<>();
            while (row.next()) {
                if (row.getString("name") != null) {
                    columnTypes.put(row.getString("name"), row.getString("type"));
                }
                table = Optional.of(new Table(row.getBoolean("logged"), columnTypes));
            }
            return table;
        }
    }

    private static Optional<Publication> publication(Connection connection, OutboxTarget target) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        String sql = version >= COLUMN_LISTS_SINCE ? PUBLICATION_15 : PUBLICATION_14;
        try (PreparedStatement query = prepare(connection, sql, target.schema(), target.table(), target.publication());
                ResultSet row = query.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            Set<String> beyondInserts = new TreeSet<>();
            for (String operation : new String[] {"update", "delete", "truncate"}) {
                if (row.getBoolean("pub" + operation)) {
                    beyondInserts.add(operation);
                }
            }
            return Optional.of(new Publication(
                    row.getBoolean("covers"),
                    row.getBoolean("pubinsert"),
                    beyondInserts,
                    row.getBoolean("pubviaroot"),
                    strings(row.getArray("columns"))));
        }
    }

    private static Optional<Set<String>> strings(@Nullable Array array) throws SQLException {
        return array == null ? Optional.empty() : Optional.of(Set.of((String[]) array.getArray()));
    }

    private static Optional<Slot> slot(Connection connection, OutboxTarget target) throws SQLException {
        try (PreparedStatement query = prepare(connection, SLOT, target.slot());
                ResultSet row = query.executeQuery()) {
            return row.next()
                    ? Optional.of(new Slot(
                            Optional.ofNullable(row.getString("plugin")),
                            Optional.ofNullable(row.getString("database")),
                            row.getString("wal_status"),
                            Optional.ofNullable(row.getString("holder"))))
                    : Optional.empty();
        }
    }

    private static Optional<Role> role(Connection connection, OutboxTarget target) throws SQLException {
        try (PreparedStatement query = prepare(connection, ROLE, target.role());
                ResultSet row = query.executeQuery()) {
            return row.next()
                    ? Optional.of(new Role(row.getBoolean("rolcanlogin"), row.getBoolean("may_replicate")))
                    : Optional.empty();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, String... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setString(i + 1, parameters[i]);
        }
        return statement;
    }
}
