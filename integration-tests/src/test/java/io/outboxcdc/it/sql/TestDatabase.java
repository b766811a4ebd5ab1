package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.AppliedScript;
import io.outboxcdc.stack.sql.OutboxSql;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A database that one test has to itself. It is emptied between tests instead of made anew, and what an administrator does
 * goes over one connection that stays open: both would take most of a test's time.
 */
final class TestDatabase {
    static final Path SCRIPTS =
            Path.of(System.getProperty("outbox.home"), "sql").normalize();

    private static final String ADMIN = "postgres";

    private final EmbeddedPostgres server;

    private final String name;

    private final Connection admin;

    private TestDatabase(EmbeddedPostgres server, String name, Connection admin) {
        this.server = server;
        this.name = name;
        this.admin = admin;
    }

    static TestDatabase create(EmbeddedPostgres server, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.getJdbcUrl(ADMIN, ADMIN));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return new TestDatabase(server, name, DriverManager.getConnection(server.getJdbcUrl(ADMIN, name)));
    }

    String name() {
        return name;
    }

    int port() {
        return server.getPort();
    }

    String url(String user) {
        return server.getJdbcUrl(user, name);
    }

    /** In auto-commit mode; roles need no password here. */
    Connection connect(String user) throws SQLException {
        return DriverManager.getConnection(url(user));
    }

    Connection connect() throws SQLException {
        return connect(ADMIN);
    }

    /** A connection that speaks the replication protocol. */
    Connection replicate(String user) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("replication", "database");
        properties.setProperty("assumeMinServerVersion", "14");
        properties.setProperty("preferQueryMode", "simple");
        return DriverManager.getConnection(url(user), properties);
    }

    List<AppliedScript> apply() throws SQLException {
        return apply(OutboxSql.inFolder(SCRIPTS));
    }

    List<AppliedScript> apply(OutboxSql sql) throws SQLException {
        return sql.applyTo(admin);
    }

    void run(String... statements) throws SQLException {
        run(admin, statements);
    }

    void runAs(String user, String... statements) throws SQLException {
        try (Connection connection = connect(user)) {
            run(connection, statements);
        }
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement jdbc = connection.createStatement()) {
            for (String statement : statements) {
                jdbc.execute(statement);
            }
        }
    }

    /** The first column of each row as text; NULL as {@code "null"}. */
    List<String> query(String sql) throws SQLException {
        return query(admin, sql);
    }

    List<String> queryAs(String user, String sql) throws SQLException {
        try (Connection connection = connect(user)) {
            return query(connection, sql);
        }
    }

    private static List<String> query(Connection connection, String sql) throws SQLException {
        try (Statement jdbc = connection.createStatement();
                ResultSet row = jdbc.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (row.next()) {
                values.add(String.valueOf(row.getString(1)));
            }
            return values;
        }
    }

    String one(String sql) throws SQLException {
        List<String> values = query(sql);
        if (values.size() != 1) {
            throw new AssertionError(values.size() + " rows instead of one from " + sql);
        }
        return values.get(0);
    }

    /** How many inserts wait in the slot, as the connector would be sent them. */
    int insertsInSlot() throws SQLException {
        return Integer.parseInt(one("SELECT count(*) FROM pg_logical_slot_peek_binary_changes('outbox', NULL, NULL,"
                + " 'proto_version', '1', 'publication_names', 'outbox') WHERE get_byte(data, 0) = ascii('I')"));
    }

    /** The server drops WAL that the slot {@code outbox} has not delivered. */
    void loseSlot() throws SQLException {
        run("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'", "SELECT pg_reload_conf()");
        try {
            for (int segment = 0; segment < 6; segment++) {
                run("SELECT pg_logical_emit_message(false, 'x', 'x')", "SELECT pg_switch_wal()");
            }
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                run("CHECKPOINT");
                return one("SELECT wal_status FROM pg_replication_slots WHERE slot_name = 'outbox'")
                        .equals("lost");
            });
        } finally {
            run("ALTER SYSTEM RESET max_slot_wal_keep_size", "SELECT pg_reload_conf()");
        }
    }

    String payloadType() throws SQLException {
        return one("SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
                + " WHERE attrelid = 'outbox'::regclass AND attname = 'payload'");
    }

    /** As it was made: no slot, no publication, an empty schema with the rights that initdb gives. */
    void empty() throws SQLException {
        // A walsender lives a moment longer than its client.
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        query("SELECT FROM pg_replication_slots WHERE active").isEmpty());
        run("DISCARD ALL", """
                DO $$
                DECLARE
                    statement text;
                BEGIN
                    FOR statement IN
                        SELECT format('SELECT pg_drop_replication_slot(%L)', slot_name) FROM pg_replication_slots
                            WHERE database = current_database() OR slot_type = 'physical'
                        UNION ALL SELECT format('DROP PUBLICATION %I', pubname) FROM pg_publication
                        UNION ALL SELECT format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', oid::regprocedure)
                            FROM pg_proc WHERE proname = 'pg_logical_emit_message'
                        UNION ALL SELECT format('DROP OWNED BY %I CASCADE', rolname) FROM pg_roles
                            WHERE rolname !~ '^pg_' AND rolname <> current_user
                    LOOP
                        EXECUTE statement;
                    END LOOP;
                    EXECUTE format('ALTER DATABASE %I OWNER TO CURRENT_USER', current_database());
                    DROP SCHEMA public CASCADE;
                    CREATE SCHEMA public;
                    IF current_setting('server_version_num')::int >= 150000 THEN
                        ALTER SCHEMA public OWNER TO pg_database_owner;
                        GRANT USAGE ON SCHEMA public TO PUBLIC;
                    ELSE
                        GRANT USAGE, CREATE ON SCHEMA public TO PUBLIC;
                    END IF;
                END
                $$
                """);
    }

    /** The roles of the whole server; the databases that use them have to be empty. */
    void dropRoles() throws SQLException {
        String roles = one("SELECT string_agg(quote_ident(rolname), ', ') FROM pg_roles"
                + " WHERE rolname !~ '^pg_' AND rolname <> current_user");
        if (!roles.equals("null")) {
            run("DROP ROLE " + roles);
        }
    }
}
