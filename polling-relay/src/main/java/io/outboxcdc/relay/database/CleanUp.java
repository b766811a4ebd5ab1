package io.outboxcdc.relay.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Removes events that were published long ago, in small transactions. Several instances may do it at once. */
public final class CleanUp {

    private final Database database;
    private final Duration retention;
    private final int batchRows;

    public CleanUp(Database database, Duration retention, int batchRows) {
        this.database = database;
        this.retention = retention;
        this.batchRows = batchRows;
    }

    /** Removes one batch of what is old enough, and returns how many there were. */
    public int run() throws SQLException {
        // created_at has the index; a row that waited long is kept for the retention from its publication on.
        try (Connection connection = database.connect();
                PreparedStatement delete = connection.prepareStatement("""
                        DELETE FROM public.outbox WHERE ctid = ANY (ARRAY(
                            SELECT ctid FROM public.outbox
                            WHERE created_at < now() - ? * interval '1 millisecond'
                                AND published_at < now() - ? * interval '1 millisecond'
                            ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED))""")) {
            delete.setLong(1, retention.toMillis());
            delete.setLong(2, retention.toMillis());
            delete.setInt(3, batchRows);
            return delete.executeUpdate();
        }
    }

    /** How many a full batch has: then there may be more. */
    public int batchRows() {
        return batchRows;
    }
}
