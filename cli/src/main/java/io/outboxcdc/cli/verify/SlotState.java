package io.outboxcdc.cli.verify;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Whether the slots have confirmed a position. The connector confirms only what Kafka has stored. */
public enum SlotState {
    /** All have: what lies before the position and is not in Kafka will not come. */
    CONFIRMED("has confirmed all rows that were read"),
    /** At least one has not yet. */
    BEHIND("has not confirmed all rows that were read"),
    /** At least one is not there, or lost. */
    MISSING("is not there, or lost");

    private static final long POLL_MILLIS = 200;

    private final String meaning;

    SlotState(String meaning) {
        this.meaning = meaning;
    }

    /** To be read after "the slot". */
    String meaning() {
        return meaning;
    }

    /** Waits until all have confirmed the position, or one cannot, or the time is over. */
    static SlotState await(
            Connection connection, List<String> slots, String position, Duration atMost, VerifyProgress progress)
            throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            SlotState state = read(connection, slots, position);
            if (state != BEHIND || System.nanoTime() > end) {
                return state;
            }
            progress.say("waiting for slot " + String.join(", ", slots) + " to confirm " + position);
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static SlotState read(Connection connection, List<String> slots, String position) {
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT count(*), coalesce(bool_and(confirmed_flush_lsn >= ?::pg_lsn), false)
                FROM pg_replication_slots
                WHERE slot_name::text = ANY (?) AND slot_type = 'logical' AND wal_status IS DISTINCT FROM 'lost'""")) {
            query.setString(1, position);
            query.setObject(2, slots.toArray(String[]::new));
            try (ResultSet row = query.executeQuery()) {
                row.next();
                if (row.getLong(1) < slots.stream().distinct().count()) {
                    return MISSING;
                }
                return row.getBoolean(2) ? CONFIRMED : BEHIND;
            }
        } catch (SQLException e) {
            throw new CannotVerifyException("The slots cannot be read: " + e.getMessage(), e);
        }
    }
}
