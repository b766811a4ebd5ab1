package io.outboxcdc.stack;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Looks whether a PostgreSQL that the stack did not start can carry an outbox connector. */
final class GivenPostgres {

    private GivenPostgres() {}

    /**
     * Checks before anything is started.
     *
     * @throws StackException if the server cannot be reached, or writes no logical WAL
     */
    static void check(PostgresAddress address) {
        String walLevel;
        try (Connection connection = address.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SHOW wal_level")) {
            result.next();
            walLevel = result.getString(1);
        } catch (SQLException e) {
            throw new StackException("PostgreSQL cannot be reached at %s: %s".formatted(address, firstLine(e)), e);
        }
        if (!walLevel.equals("logical")) {
            throw new StackException(("PostgreSQL at %s has wal_level = %s, logical is needed. "
                            + "Run ALTER SYSTEM SET wal_level = 'logical' as superuser, then restart PostgreSQL.")
                    .formatted(address, walLevel));
        }
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
