package io.outboxcdc.client.inbox;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Forgets claims that no repeat can come for any more. A message that comes after its claim was forgotten is new, so the
 * window must be no shorter than the topics keep messages, plus the longest stop of consumer or pipeline that one wants to
 * live through, plus how far back one sends events again.
 *
 * <p>Deletes in batches, each its own transaction. A claim in a transaction that is open is not seen, so never deleted. The
 * role needs to be a member of {@code inbox_owner}. Thread-safe.
 */
public final class InboxRetention {

    /** Kafka's own default keeps messages for 7 days; this leaves three weeks for a stop and for sending again. */
    public static final Duration DEFAULT_WINDOW = Duration.ofDays(30);

    private static final int BATCH = 5_000;

    private static final String FORGET = """
            DELETE FROM public.inbox WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM public.inbox
                WHERE consumer = ? AND claimed_at < now() - ? * interval '1 millisecond'
                ORDER BY claimed_at LIMIT ? FOR UPDATE SKIP LOCKED))""";

    private final DataSource dataSource;
    private final String consumer;
    private final Duration window;

    private InboxRetention(DataSource dataSource, String consumer, Duration window) {
        this.dataSource = dataSource;
        this.consumer = consumer;
        this.window = window;
    }

    /**
     * For one consumer.
     *
     * @throws IllegalArgumentException when the window is not positive
     */
    public static InboxRetention of(DataSource dataSource, String consumer, Duration window) {
        if (window.isNegative() || window.isZero()) {
            throw new IllegalArgumentException(
                    "The window is " + window + ". Give a positive one, such as InboxRetention.DEFAULT_WINDOW.");
        }
        return new InboxRetention(dataSource, consumer, window);
    }

    /**
     * Forgets all claims that are older than the window.
     *
     * @return how many
     * @throws SQLException when the database refuses; what was deleted until then stays deleted
     */
    public long forget() throws SQLException {
        long forgotten = 0;
        int deleted;
        do {
            try (Transaction transaction = Transaction.begin(dataSource);
                    PreparedStatement statement = transaction.connection().prepareStatement(FORGET)) {
                statement.setString(1, consumer);
                statement.setLong(2, window.toMillis());
                statement.setInt(3, BATCH);
                deleted = statement.executeUpdate();
                transaction.commit();
            }
            forgotten += deleted;
        } while (deleted == BATCH);
        return forgotten;
    }
}
