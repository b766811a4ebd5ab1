package io.outboxcdc.client.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Takes in what one poll brought: one claim for all of it, the effects, one commit. When a handler throws, all is rolled
 * back and each message taken by itself, so that only the bad one, and what comes behind it in its lane, has to wait.
 *
 * <p>Claim before look: a message that another consumer of the group is still storing is waited for by the claim, so the
 * look at the lanes, a later statement, sees it.
 */
final class Intake {

    private final DataSource dataSource;
    private final Inbox inbox;
    private final MessageStore store;
    private final MessageHandler handler;
    private final boolean storeFirst;
    private final Counters counters;

    Intake(
            DataSource dataSource,
            Inbox inbox,
            MessageStore store,
            MessageHandler handler,
            boolean storeFirst,
            Counters counters) {
        this.dataSource = dataSource;
        this.inbox = inbox;
        this.store = store;
        this.handler = handler;
        this.storeFirst = storeFirst;
        this.counters = counters;
    }

    /**
     * Takes responsibility for messages: afterwards each is handled, stored or known for a repeat, and that is committed.
     *
     * @return whether some were stored
     * @throws SQLException when the database does not serve; then do it again, with the same messages
     */
    boolean take(List<InboxMessage> messages) throws SQLException {
        try {
            return takeTogether(messages);
        } catch (HandlerFailure oneOfThem) {
            boolean stored = false;
            for (InboxMessage message : messages) {
                stored |= takeAlone(message);
            }
            return stored;
        }
    }

    private boolean takeAlone(InboxMessage message) throws SQLException {
        try {
            return takeTogether(List.of(message));
        } catch (HandlerFailure failure) {
            counters.failures.increment();
            Failures.log(inbox.consumer(), message, 1, failure.reason());
            try (Transaction transaction = Transaction.begin(dataSource)) {
                if (inbox.claim(transaction.connection(), message.id())) {
                    store.storeFailed(transaction.connection(), message, Failures.text(failure.reason()));
                    counters.stored.increment();
                }
                transaction.commit();
            }
            return true;
        }
    }

    private boolean takeTogether(List<InboxMessage> messages) throws SQLException, HandlerFailure {
        Attempt attempt = new Attempt(handler);
        List<InboxMessage> toStore = new ArrayList<>();
        int handled;
        int fresh;
        try (Transaction transaction = Transaction.begin(dataSource)) {
            Connection connection = transaction.connection();
            Connection handlersView = HandlersConnection.of(connection);
            List<InboxMessage> claimed = claim(connection, messages);
            fresh = claimed.size();
            Set<UUID> held = storeFirst || claimed.isEmpty()
                    ? Set.of()
                    : store.heldLanes(
                            connection,
                            claimed.stream().map(InboxMessage::lane).distinct().toList());
            List<InboxMessage> toHandle = new ArrayList<>();
            claimed.forEach(message -> (storeFirst || held.contains(message.lane()) ? toStore : toHandle).add(message));
            if (!toStore.isEmpty()) {
                store.store(connection, toStore);
            }
            // Last, so that whatever fails from here on is a handler's doing.
            for (InboxMessage message : toHandle) {
                attempt.run(connection, handlersView, message);
            }
            handled = toHandle.size();
            attempt.commit(transaction);
        }
        counters.handled.add(handled);
        counters.stored.add(toStore.size());
        counters.repeats.add(messages.size() - fresh);
        return !toStore.isEmpty();
    }

    private List<InboxMessage> claim(Connection connection, List<InboxMessage> messages) throws SQLException {
        Set<String> claimed = inbox.claimAll(
                connection, messages.stream().map(InboxMessage::id).toList());
        // Removing lets the first of two messages with one id through, and only that.
        return messages.stream().filter(message -> claimed.remove(message.id())).toList();
    }
}
