package io.outboxcdc.cli.demo;

import io.outboxcdc.stack.PostgresAddress;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The demo's business tables, in a schema of their own that goes when the demo goes. */
public final class DemoSchema implements AutoCloseable {

    /** Customers that exist from the start; few, so that writers meet at the same rows. */
    static final int CUSTOMERS = 8;

    private final PostgresAddress database;

    private DemoSchema(PostgresAddress database) {
        this.database = database;
    }

    /**
     * Creates the tables.
     *
     * @throws SQLException when the database refuses, for instance because the user may not create a schema
     */
    public static DemoSchema create(PostgresAddress database) throws SQLException {
        run(database, """
                DROP SCHEMA IF EXISTS outbox_demo CASCADE;
                CREATE SCHEMA outbox_demo;
                CREATE TABLE outbox_demo.customer (id text PRIMARY KEY, version bigint NOT NULL DEFAULT 0);
                CREATE TABLE outbox_demo.orders (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    customer_id text NOT NULL REFERENCES outbox_demo.customer,
                    status text NOT NULL,
                    version bigint NOT NULL);
                CREATE INDEX ON outbox_demo.orders (id) WHERE status <> 'SHIPPED';
                INSERT INTO outbox_demo.customer (id)
                    SELECT 'C' || n FROM generate_series(1, %d) AS n;
                """.formatted(CUSTOMERS));
        return new DemoSchema(database);
    }

    /**
     * What keeps the demo from using a database; empty when nothing does.
     *
     * <p>A database that cannot be reached is left to whoever starts the pipeline on it.
     */
    public static Optional<String> check(PostgresAddress database) {
        List<String> missing = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rights = statement.executeQuery("""
                        SELECT quote_ident(current_user) AS me, quote_ident(current_database()) AS here,
                               has_database_privilege(current_database(), 'CREATE') AS may_create,
                               coalesce(has_table_privilege(to_regclass('public.outbox'), 'INSERT'), true) AS may_insert
                        """)) {
            rights.next();
            if (!rights.getBoolean("may_create")) {
                missing.add("GRANT CREATE ON DATABASE " + rights.getString("here") + " TO " + rights.getString("me")
                        + "; (the demo's own tables live in a schema of their own)");
            }
            if (!rights.getBoolean("may_insert")) {
                missing.add("GRANT outbox_writer TO " + rights.getString("me") + "; (the demo writes events)");
            }
        } catch (SQLException e) {
            return Optional.empty();
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the demo lacks rights in " + database + ". Let an administrator run: "
                        + String.join(" ", missing));
    }

    @Override
    public void close() throws SQLException {
        run(database, "DROP SCHEMA IF EXISTS outbox_demo CASCADE");
    }

    private static void run(PostgresAddress database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
