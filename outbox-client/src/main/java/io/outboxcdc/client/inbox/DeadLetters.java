package io.outboxcdc.client.inbox;

/** Where a message goes that is given up. */
@FunctionalInterface
interface DeadLetters {

    /**
     * Sends a message and returns when it is safe.
     *
     * @param attempts how often it was tried
     * @throws Exception when it could not be sent; it is kept and tried again
     */
    void send(InboxMessage message, int attempts) throws Exception;
}
