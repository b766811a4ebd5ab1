package io.outboxcdc.client.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Tells a database that is away from a message that is bad. The former is waited for; were it taken for the latter, an
 * outage would count as an attempt of every message that came by.
 */
final class DatabaseTrouble {

    private static final int VALIDATION_SECONDS = 5;
    private static final String CONNECTION_CLASS = "08";

    /** Disk full, too many connections, shutdown, crash, starting up, read only (postgresql.org/docs, appendix A). */
    private static final Set<String> STATES = Set.of("53100", "53300", "57P01", "57P02", "57P03", "25006");

    private DatabaseTrouble() {}

    static boolean isBehind(Throwable failure, Connection connection) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                String state = sql.getSQLState();
                if (state.startsWith(CONNECTION_CLASS) || STATES.contains(state)) {
                    return true;
                }
            }
        }
        try {
            return !connection.isValid(VALIDATION_SECONDS);
        } catch (SQLException e) {
            return true;
        }
    }
}
