package io.outboxcdc.client.inbox;

import java.sql.Connection;

/**
 * Makes the effect of a message. What it writes through the connection happens once for each message and consumer; what it
 * does besides (a mail, a call) may happen again after a failure.
 *
 * <p>Called by several threads at once for messages of different keys, never for two of one key.
 */
@FunctionalInterface
public interface MessageHandler {

    /**
     * Handles a message that this consumer has not handled before.
     *
     * @param connection in a transaction that is not the handler's: it neither commits nor rolls back nor closes
     * @throws Exception to give the message up for now: nothing of its effect is kept, and it comes again later
     */
    void handle(Connection connection, InboxMessage message) throws Exception;
}
