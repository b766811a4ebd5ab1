package io.outboxcdc.stack;

import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
            String hint = address.password().isEmpty()
                    ? " No password was given: it may stand in the URL or in PGPASSWORD."
                    : "";
            if (e.getCause() instanceof UnknownHostException) {
                hint = " No host " + address.host() + " is known here.";
            }
            throw new StackException(
                    "PostgreSQL cannot be reached at %s: %s%s".formatted(address, firstLine(e), hint), e);
        }
        if (!walLevel.equals("logical")) {
            throw new StackException(("PostgreSQL at %s has wal_level = %s, logical is needed. "
                            + "Run ALTER SYSTEM SET wal_level = 'logical' as superuser, then restart PostgreSQL.")
                    .formatted(address, walLevel));
        }
    }

    /**
     * Sees that no other pipeline's events would be taken from it: what a slot holds is delivered once.
     *
     * @throws StackException if the database has the slot already
     */
    static void checkNoSlotIsTaken(PostgresAddress address, String slot) {
        try (Connection connection = address.connect();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT FROM pg_replication_slots WHERE slot_name = ? AND database = current_database()")) {
            query.setString(1, slot);
            try (ResultSet found = query.executeQuery()) {
                if (found.next()) {
                    throw new StackException(
                            ("The slot '%s' was there before in %s. The events that wait in it would go"
                                            + " to this command's own Kafka, which goes when the command ends, and your connector"
                                            + " would never see them. Use a database without a pipeline, or say --take-slot if"
                                            + " nobody else needs them.")
                                    .formatted(slot, address));
                }
            }
        } catch (SQLException e) {
            throw new StackException("PostgreSQL cannot be asked at %s: %s".formatted(address, firstLine(e)), e);
        }
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
