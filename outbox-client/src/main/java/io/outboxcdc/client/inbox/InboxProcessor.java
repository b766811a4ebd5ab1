package io.outboxcdc.client.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Works on the messages that wait in {@code inbox_message}: those of a lane by rising seq, those of several lanes together
 * in one transaction. A lane is worked on by one processor at a time, in whatever process.
 */
final class InboxProcessor {

    private static final int LANES = 100;
    private static final int MESSAGES = 500;

    private final DataSource dataSource;
    private final String consumer;
    private final MessageStore store;
    private final RetryPolicy retry;
    private final MessageHandler handler;
    private final Outlet outlet;
    private final Counters counters;

    InboxProcessor(
            DataSource dataSource,
            String consumer,
            MessageStore store,
            RetryPolicy retry,
            MessageHandler handler,
            Outlet outlet,
            Counters counters) {
        this.dataSource = dataSource;
        this.consumer = consumer;
        this.store = store;
        this.retry = retry;
        this.handler = handler;
        this.outlet = outlet;
        this.counters = counters;
    }

    /**
     * Works on what is due.
     *
     * @return whether there was anything
     * @throws SQLException when the database does not serve
     */
    boolean round() throws SQLException {
        try {
            return workTogether(LANES, MESSAGES, new ArrayList<>());
        } catch (HandlerFailure oneOfThem) {
            return roundOneByOne();
        }
    }

    /** Until every lane that is due has been tried once: a failure ends its lane's turn, a success goes on with it. */
    private boolean roundOneByOne() throws SQLException {
        for (int turns = 0; turns < MESSAGES; turns++) {
            List<StoredMessage> tried = new ArrayList<>(1);
            try {
                if (!workTogether(1, 1, tried)) {
                    break;
                }
            } catch (HandlerFailure failure) {
                note(tried.get(0), failure.reason());
            }
        }
        return true;
    }

    private void note(StoredMessage stored, Throwable reason) throws SQLException {
        counters.failures.increment();
        Failures.log(consumer, stored.message(), stored.attempts() + 1, reason);
        try (Transaction transaction = Transaction.begin(dataSource)) {
            store.fail(transaction.connection(), stored, Failures.text(reason));
            transaction.commit();
        }
    }

    /**
     * @param tried is given the messages in the order in which they are worked on
     */
    private boolean workTogether(int lanes, int messages, List<StoredMessage> tried)
            throws SQLException, HandlerFailure {
        Attempt attempt = new Attempt(handler);
        int given = 0;
        try (Transaction transaction = Transaction.begin(dataSource)) {
            Connection connection = transaction.connection();
            Connection handlersView = HandlersConnection.of(connection);
            List<StoredMessage> turn = withoutBlocked(store.lockDue(connection, lanes, messages));
            if (turn.isEmpty()) {
                return false;
            }
            store.remove(connection, turn.stream().map(StoredMessage::seq).toList());
            // Last, so that whatever fails from here on is a handler's doing.
            for (StoredMessage stored : turn) {
                tried.add(stored);
                if (retry.gives(stored.attempts())) {
                    giveUp(stored);
                    given++;
                } else {
                    attempt.run(connection, handlersView, stored.message());
                }
            }
            attempt.commit(transaction);
        }
        counters.handled.add(tried.size() - given);
        counters.deadLetters.add(given);
        return true;
    }

    /** A message that is not due holds back those behind it. */
    private static List<StoredMessage> withoutBlocked(List<StoredMessage> read) {
        Set<UUID> blocked = new HashSet<>();
        List<StoredMessage> turn = new ArrayList<>(read.size());
        for (StoredMessage stored : read) {
            if (!stored.due()) {
                blocked.add(stored.lane());
            }
            if (!blocked.contains(stored.lane())) {
                turn.add(stored);
            }
        }
        return turn;
    }

    private void giveUp(StoredMessage stored) throws HandlerFailure {
        try {
            outlet.send(stored.message(), stored.attempts());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HandlerFailure(e);
        } catch (Exception e) {
            throw new HandlerFailure(e);
        }
    }
}
