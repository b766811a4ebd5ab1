package io.outboxcdc.client.inbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Which messages a consumer has had, in the table {@code public.inbox} (sql/70_inbox.sql). A message is claimed in the
 * transaction of its effect: both are committed, or neither. Of two transactions that claim one message the second waits
 * for the first, and finds a repeat when that was committed.
 *
 * <p>The role needs {@code inbox_consumer}. Thread-safe; a connection serves one thread at a time.
 */
public final class Inbox {

    private static final String CLAIM =
            "INSERT INTO public.inbox (consumer, message_id) VALUES (?, ?) ON CONFLICT DO NOTHING";

    /** Sorted, so that two batches with the same messages wait for each other in one direction only. */
    private static final String CLAIM_ALL = """
            INSERT INTO public.inbox (consumer, message_id)
            SELECT ?, id FROM unnest(?::text[]) AS id ORDER BY id
            ON CONFLICT DO NOTHING RETURNING message_id""";

    private final String consumer;

    private Inbox(String consumer) {
        this.consumer = consumer;
    }

    /**
     * The inbox of a consumer. Consumers that do different things have different names, and each handles a message once.
     *
     * @throws IllegalArgumentException when the name is blank
     */
    public static Inbox of(String consumer) {
        if (consumer.isBlank()) {
            throw new IllegalArgumentException(
                    "The consumer has no name. Give it one that stays, such as its group id.");
        }
        return new Inbox(consumer);
    }

    /** The consumer's name. */
    public String consumer() {
        return consumer;
    }

    /**
     * Claims a message in the transaction of the caller, who then makes the effect in the same transaction.
     *
     * @return false for a repeat: the effect is there already, so leave it out
     * @throws IllegalStateException when the connection is in auto-commit mode
     * @throws SQLException when the database refuses; the transaction has to be rolled back
     */
    public boolean claim(Connection connection, String messageId) throws SQLException {
        requireTransaction(connection);
        try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
            statement.setString(1, consumer);
            statement.setString(2, messageId);
            return statement.executeUpdate() == 1;
        }
    }

    /**
     * Claims several messages by one statement, in the transaction of the caller.
     *
     * @return the ids that are new; the others are repeats
     * @throws IllegalStateException when the connection is in auto-commit mode
     * @throws SQLException when the database refuses; the transaction has to be rolled back
     */
    public Set<String> claimAll(Connection connection, Collection<String> messageIds) throws SQLException {
        requireTransaction(connection);
        Set<String> claimed = new HashSet<>();
        if (messageIds.isEmpty()) {
            return claimed;
        }
        try (PreparedStatement statement = connection.prepareStatement(CLAIM_ALL)) {
            statement.setString(1, consumer);
            statement.setArray(2, connection.createArrayOf("text", messageIds.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    claimed.add(row.getString(1));
                }
            }
        }
        return claimed;
    }

    /**
     * Claims a message and makes its effect, in a transaction of its own. When the effect throws, neither is there.
     *
     * @param effect writes through the connection that it gets; it may run again after a failure, so nothing else that it
     *     does is kept from happening twice
     * @return false for a repeat: the effect was not run
     * @throws Exception what the effect throws, or the database
     */
    public boolean handleOnce(DataSource dataSource, String messageId, Effect effect) throws Exception {
        try (Transaction transaction = Transaction.begin(dataSource)) {
            boolean first = claim(transaction.connection(), messageId);
            if (first) {
                effect.apply(HandlersConnection.of(transaction.connection()));
            }
            transaction.commit();
            return first;
        }
    }

    /** What a message does, in a transaction that is not its own. */
    @FunctionalInterface
    public interface Effect {

        /** Writes through {@code connection}, which it neither commits nor rolls back nor closes. */
        void apply(Connection connection) throws Exception;
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "The connection is in auto-commit mode, so the claim would be committed apart"
                            + " from the effect, and a failure in between would lose the message. Begin a transaction,"
                            + " connection.setAutoCommit(false) or that of the framework, claim, make the effect, then commit.");
        }
    }
}
