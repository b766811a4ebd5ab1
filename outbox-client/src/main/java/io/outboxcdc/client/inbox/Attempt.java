package io.outboxcdc.client.inbox;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs a handler, and tells a message that is bad from a database that is away. */
final class Attempt {

    private final MessageHandler handler;

    Attempt(MessageHandler handler) {
        this.handler = handler;
    }

    /**
     * @throws HandlerFailure when it is the message's fault
     * @throws SQLException when it is the database's
     */
    void run(Connection connection, Connection handlersView, InboxMessage message) throws HandlerFailure, SQLException {
        try {
            handler.handle(handlersView, message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw judged(e, connection);
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            throw judged(e, connection);
        }
    }

    /** What can only be checked at the end (deferred constraints, serialization) shows here. */
    void commit(Transaction transaction) throws HandlerFailure, SQLException {
        try {
            transaction.commit();
        } catch (SQLException e) {
            throw judged(e, transaction.connection());
        }
    }

    private static HandlerFailure judged(Throwable failure, Connection connection) throws SQLException {
        if (DatabaseTrouble.isBehind(failure, connection)) {
            throw new SQLException("The database went away while a message was handled.", "08006", failure);
        }
        return new HandlerFailure(failure);
    }
}
