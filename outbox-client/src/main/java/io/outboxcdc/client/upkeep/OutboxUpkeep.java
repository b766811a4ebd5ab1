package io.outboxcdc.client.upkeep;

import io.outboxcdc.client.upkeep.UpkeepStep.Kind;
import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Rounds of upkeep of the outbox in one database. A round is to be run every minute or so, and by one at a time: a second one
 * that runs at the same moment does nothing and says so.
 *
 * <p>No writer waits for it, unless the outbox has a DEFAULT partition: then a partition is detached under a lock that
 * writers queue behind, for {@code lock_timeout_ms} of {@code outbox_upkeep} at most.
 *
 * <p>Not thread-safe.
 */
public final class OutboxUpkeep {

    private static final String LOCK = "hashtextextended('outbox upkeep', 0)";

    /** Nobody waits behind this lock, so it may take as long as a short transaction of a writer. */
    private static final String WAIT_FOR_WRITERS = "10s";

    /** So that a first round on an old table ends some time; the next goes on from there. */
    private static final int MOST_BATCHES = 200;

    private final Connection connection;
    private final List<UpkeepStep> steps = new ArrayList<>();

    private OutboxUpkeep(Connection connection) {
        this.connection = connection;
    }

    /**
     * Runs one round.
     *
     * @param connection in auto-commit mode, as a member of {@code outbox_owner}; directly to the server, since a lock of the
     *     session guards the round
     * @return what was done, in order; empty when nothing was due
     * @throws IllegalArgumentException when the connection is not in auto-commit mode
     * @throws SQLException when the database refuses; what was done before stays done
     */
    public static List<UpkeepStep> round(Connection connection) throws SQLException, InterruptedException {
        if (!connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "The connection has a transaction of its own, in which a partition cannot be"
                            + " detached without blocking writers. Give a connection in auto-commit mode.");
        }
        return new OutboxUpkeep(connection).round();
    }

    private List<UpkeepStep> round() throws SQLException, InterruptedException {
        if (!isTrue("SELECT pg_try_advisory_lock(" + LOCK + ")")) {
            return List.of(new UpkeepStep(Kind.KEPT, "outbox", "another upkeep is running"));
        }
        try {
            makePartitions();
            deleteOldRows();
            sealPartitions();
            LockRetry.untilItHasTheLock(this::dropPartitions);
        } finally {
            execute("SELECT pg_advisory_unlock(" + LOCK + ")");
        }
        return List.copyOf(steps);
    }

    private void makePartitions() throws SQLException, InterruptedException {
        boolean more = true;
        while (more) {
            more = LockRetry.untilItHasTheLock(() -> read(
                    "SELECT made, range_from, range_to FROM public.outbox_make_partitions()",
                    row -> note(
                            Kind.MADE,
                            row.getString("made"),
                            "from " + row.getString("range_from") + " to " + row.getString("range_to"))));
        }
    }

    private void deleteOldRows() throws SQLException, InterruptedException {
        long deleted = 0;
        long inBatch = 1;
        String kept = null;
        for (int batch = 0; inBatch > 0 && batch < MOST_BATCHES; batch++) {
            Batch done = LockRetry.untilItHasTheLock(this::deleteBatch);
            inBatch = done.deleted;
            kept = done.keptBecause;
            deleted += inBatch;
        }
        if (deleted > 0) {
            note(Kind.DELETED, "outbox", deleted + (deleted == 1 ? " row" : " rows"));
        }
        if (kept != null) {
            note(Kind.KEPT, "outbox", "no rows deleted: " + kept);
        }
    }

    private record Batch(long deleted, @Nullable String keptBecause) {}

    private Batch deleteBatch() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT deleted, kept_because FROM public.outbox_delete_old()")) {
            row.next();
            return new Batch(row.getLong("deleted"), row.getString("kept_because"));
        }
    }

    private void sealPartitions() throws SQLException, InterruptedException {
        boolean more = true;
        while (more) {
            more = sealOne();
        }
        read("""
                SELECT partition_name, kept_because FROM public.outbox_partition
                WHERE kept_because IS NOT NULL AND sealed_lsn IS NULL AND dropped_at IS NULL ORDER BY range_to
                """, row -> note(Kind.KEPT, row.getString("partition_name"), row.getString("kept_because")));
    }

    private record Closed(
            @Nullable String partition, @Nullable String detach) {}

    private boolean sealOne() throws SQLException, InterruptedException {
        Closed closed = LockRetry.untilItHasTheLock(this::closePartition);
        String partition = closed.partition;
        if (partition == null) {
            return false;
        }
        try {
            if (closed.detach != null) {
                detach(closed.detach);
            }
            note(Kind.SEALED, partition, LockRetry.untilItHasTheLock(() -> seal(partition)));
            return true;
        } catch (SQLException e) {
            if (!LockRetry.isLockFailure(e)) {
                throw e;
            }
            keep(partition, "not sealed: " + e.getMessage());
            return false;
        }
    }

    private Closed closePartition() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT closed, statement FROM public.outbox_close_partition()")) {
            row.next();
            return new Closed(row.getString("closed"), row.getString("statement"));
        }
    }

    private void detach(String statement) throws SQLException {
        execute("SET lock_timeout = '" + WAIT_FOR_WRITERS + "'");
        try {
            execute(statement);
        } finally {
            execute("RESET lock_timeout");
        }
    }

    private String seal(String partition) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT public.outbox_detach_partition(?::name)::text")) {
            statement.setString(1, partition);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return "its events end before " + row.getString(1);
            }
        }
    }

    private void keep(String partition, String reason) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT public.outbox_note_kept(?::name, ?)")) {
            statement.setString(1, partition);
            statement.setString(2, reason);
            statement.execute();
        }
    }

    private boolean dropPartitions() throws SQLException {
        return read(
                "SELECT sealed, dropped, reason FROM public.outbox_drop_partitions()",
                row -> note(
                        row.getBoolean("dropped") ? Kind.DROPPED : Kind.KEPT,
                        row.getString("sealed"),
                        row.getString("reason")));
    }

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private boolean read(String query, RowReader reader) throws SQLException {
        boolean any = false;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                reader.read(rows);
                any = true;
            }
        }
        return any;
    }

    private void note(Kind kind, String object, String detail) {
        steps.add(new UpkeepStep(kind, object, detail));
    }

    private boolean isTrue(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() && row.getBoolean(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
