package io.outboxcdc.client.inbox;

import java.util.UUID;

/**
 * A row of {@code inbox_message}.
 *
 * @param attempts how often its handler has thrown
 * @param due whether it is its time; a message that is not holds back those behind it in its lane
 */
record StoredMessage(long seq, UUID lane, int attempts, boolean due, InboxMessage message) {}
