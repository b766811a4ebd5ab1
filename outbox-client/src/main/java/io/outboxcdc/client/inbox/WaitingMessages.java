package io.outboxcdc.client.inbox;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * For the person who decides about messages that failed: what waits, and why; try it again now; let it go. Each call is a
 * transaction of its own. The role needs {@code inbox_consumer}. Thread-safe.
 */
public final class WaitingMessages {

    private static final String FAILED = """
            SELECT message_id, topic, record_partition, record_offset, record_time, record_key, record_value, header_names,
                header_values, state = 'parked' AS parked, attempts, last_error
            FROM public.inbox_message WHERE consumer = ? AND attempts > 0 ORDER BY seq LIMIT ?""";

    private static final String RETRY = """
            UPDATE public.inbox_message SET state = 'waiting', attempts = 0, next_attempt_at = now()
            WHERE consumer = ? AND message_id = ?""";

    private static final String RETRY_PARKED = """
            UPDATE public.inbox_message SET state = 'waiting', attempts = 0, next_attempt_at = now()
            WHERE consumer = ? AND state = 'parked'""";

    private static final String DISCARD =
            "DELETE FROM public.inbox_message WHERE consumer = ? AND message_id = ? AND attempts > 0";

    private final DataSource dataSource;
    private final String consumer;

    private WaitingMessages(DataSource dataSource, String consumer) {
        this.dataSource = dataSource;
        this.consumer = consumer;
    }

    /**
     * A message that its handler has thrown at.
     *
     * @param parked whether it waits for a person
     * @param lastError what the handler threw; it may quote the message, so keep it out of logs
     */
    public record Failed(InboxMessage message, boolean parked, int attempts, Optional<String> lastError) {}

    /** Those of one consumer. */
    public static WaitingMessages of(DataSource dataSource, String consumer) {
        return new WaitingMessages(dataSource, consumer);
    }

    /** The messages that failed, the oldest first, {@code limit} at most. */
    public List<Failed> failed(int limit) throws SQLException {
        List<Failed> failed = new ArrayList<>();
        try (Transaction transaction = Transaction.begin(dataSource);
                PreparedStatement statement = transaction.connection().prepareStatement(FAILED)) {
            statement.setString(1, consumer);
            statement.setInt(2, limit);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    failed.add(new Failed(
                            MessageStore.message(row),
                            row.getBoolean("parked"),
                            row.getInt("attempts"),
                            Optional.ofNullable(row.getString("last_error"))));
                }
            }
        }
        return failed;
    }

    /** Has a message tried at once, as if for the first time. False when it does not wait. */
    public boolean retry(String messageId) throws SQLException {
        return update(RETRY, messageId) == 1;
    }

    /** Has all parked messages tried at once, and returns how many. */
    public int retryParked() throws SQLException {
        return update(RETRY_PARKED);
    }

    /**
     * Gives a message that failed up for good: its effect is never made and its key goes on. False when it does not wait.
     */
    public boolean discard(String messageId) throws SQLException {
        return update(DISCARD, messageId) == 1;
    }

    private int update(String sql, String... more) throws SQLException {
        try (Transaction transaction = Transaction.begin(dataSource);
                PreparedStatement statement = transaction.connection().prepareStatement(sql)) {
            statement.setString(1, consumer);
            for (int i = 0; i < more.length; i++) {
                statement.setString(i + 2, more[i]);
            }
            int updated = statement.executeUpdate();
            transaction.commit();
            return updated;
        }
    }
}
