package io.outboxcdc.client.inbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The table {@code public.inbox_message}, for one consumer. Every method works in the transaction of the caller. */
final class MessageStore {

    private static final String HELD_LANES =
            "SELECT DISTINCT lane FROM public.inbox_message WHERE consumer = ? AND lane = ANY (?::uuid[])";

    private static final String STORE = """
            INSERT INTO public.inbox_message (consumer, message_id, lane, topic, record_partition, record_offset,
                record_time, record_key, record_value, header_names, header_values, state, attempts, last_error,
                next_attempt_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, now() + ? * interval '1 millisecond')
            ON CONFLICT DO NOTHING""";

    /** The first message of a lane stands for the lane: who has locked it works on the lane. */
    private static final String LOCK_DUE = """
            SELECT m.seq, m.lane FROM public.inbox_message m
            WHERE m.consumer = ? AND m.state = 'waiting' AND m.next_attempt_at <= now()
              AND NOT EXISTS (SELECT FROM public.inbox_message e
                  WHERE e.consumer = m.consumer AND e.lane = m.lane AND e.seq < m.seq)
            ORDER BY m.seq LIMIT ? FOR UPDATE SKIP LOCKED""";

    private static final String READ = """
            SELECT seq, lane, attempts, state = 'waiting' AND next_attempt_at <= now() AS due, message_id, topic,
                record_partition, record_offset, record_time, record_key, record_value, header_names, header_values
            FROM public.inbox_message WHERE consumer = ? AND lane = ANY (?::uuid[]) ORDER BY seq LIMIT ? FOR UPDATE""";

    private static final String REMOVE = "DELETE FROM public.inbox_message WHERE seq = ANY (?::bigint[])";

    private static final String FAIL = """
            UPDATE public.inbox_message SET state = ?, attempts = ?, last_error = ?,
                next_attempt_at = now() + ? * interval '1 millisecond'
            WHERE seq = ?""";

    private final String consumer;
    private final RetryPolicy retry;

    MessageStore(String consumer, RetryPolicy retry) {
        this.consumer = consumer;
        this.retry = retry;
    }

    /** Which of these lanes have messages that wait. */
    Set<UUID> heldLanes(Connection connection, Collection<UUID> lanes) throws SQLException {
        Set<UUID> held = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(HELD_LANES)) {
            statement.setString(1, consumer);
            statement.setArray(2, connection.createArrayOf("uuid", lanes.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    held.add(row.getObject(1, UUID.class));
                }
            }
        }
        return held;
    }

    /** Puts messages at the ends of their lanes. One that is there already stays where it is. */
    void store(Connection connection, List<InboxMessage> messages) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(STORE)) {
            for (InboxMessage message : messages) {
                bind(statement, message, 0, "");
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Puts a message whose first attempt has failed at the end of its lane, which is empty. */
    void storeFailed(Connection connection, InboxMessage message, String error) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(STORE)) {
            bind(statement, message, 1, error);
            statement.executeUpdate();
        }
    }

    private void bind(PreparedStatement statement, InboxMessage message, int attempts, String error)
            throws SQLException {
        Connection connection = statement.getConnection();
        statement.setString(1, consumer);
        statement.setString(2, message.id());
        statement.setObject(3, message.lane());
        statement.setString(4, message.topic());
        statement.setInt(5, message.partition());
        statement.setLong(6, message.offset());
        statement.setTimestamp(7, Timestamp.from(message.time()));
        statement.setBytes(8, message.key());
        statement.setBytes(9, message.value());
        statement.setArray(10, StoredHeaders.names(connection, message.headers()));
        statement.setArray(11, StoredHeaders.values(connection, message.headers()));
        statement.setString(12, state(attempts));
        statement.setInt(13, attempts);
        statement.setString(14, error.isEmpty() ? null : error);
        statement.setLong(15, retry.delayMillis(attempts));
    }

    /**
     * Locks lanes whose first message is due and that nobody else works on, and reads what waits in them, first come first.
     *
     * @return at most {@code messages}; of each lane the first ones, without gaps
     */
    List<StoredMessage> lockDue(Connection connection, int lanes, int messages) throws SQLException {
        List<UUID> locked = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LOCK_DUE)) {
            statement.setString(1, consumer);
            statement.setInt(2, lanes);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    locked.add(row.getObject("lane", UUID.class));
                }
            }
        }
        return locked.isEmpty() ? List.of() : read(connection, locked, messages);
    }

    private List<StoredMessage> read(Connection connection, List<UUID> lanes, int limit) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setString(1, consumer);
            statement.setArray(2, connection.createArrayOf("uuid", lanes.toArray()));
            statement.setInt(3, limit);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    messages.add(new StoredMessage(
                            row.getLong("seq"),
                            row.getObject("lane", UUID.class),
                            row.getInt("attempts"),
                            row.getBoolean("due"),
                            message(row)));
                }
            }
        }
        return messages;
    }

    static InboxMessage message(ResultSet row) throws SQLException {
        return new InboxMessage(
                row.getString("message_id"),
                row.getString("topic"),
                row.getInt("record_partition"),
                row.getLong("record_offset"),
                row.getTimestamp("record_time").toInstant(),
                row.getBytes("record_key"),
                row.getBytes("record_value"),
                StoredHeaders.read(row));
    }

    void remove(Connection connection, Collection<Long> seqs) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REMOVE)) {
            statement.setArray(1, connection.createArrayOf("bigint", seqs.toArray()));
            statement.executeUpdate();
        }
    }

    /** Notes a failed attempt at a message; without effect when it is gone. */
    void fail(Connection connection, StoredMessage stored, String error) throws SQLException {
        int attempts = stored.attempts() + 1;
        try (PreparedStatement statement = connection.prepareStatement(FAIL)) {
            statement.setString(1, state(attempts));
            statement.setInt(2, attempts);
            statement.setString(3, error);
            statement.setLong(4, retry.delayMillis(attempts));
            statement.setLong(5, stored.seq());
            statement.executeUpdate();
        }
    }

    private String state(int attempts) {
        return retry.parks(attempts) ? "parked" : "waiting";
    }
}
