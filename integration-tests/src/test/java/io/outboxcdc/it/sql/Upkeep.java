package io.outboxcdc.it.sql;

import io.outboxcdc.client.upkeep.OutboxUpkeep;
import io.outboxcdc.client.upkeep.UpkeepStep;
import io.outboxcdc.client.upkeep.UpkeepStep.Kind;
import io.outboxcdc.stack.sql.OutboxSql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An outbox with a past, its upkeep, and a connector that reads its slot when it is told to. */
final class Upkeep {
    /** A login of its own, which may do no more than the owner. */
    static final String ROLE = "upkeep";

    private static final String CHANGES = "('outbox', NULL, NULL, 'proto_version', '1', 'publication_names', 'outbox')";

    private final TestDatabase database;

    private Upkeep(TestDatabase database) {
        this.database = database;
    }

    /**
     * Applies the scripts; the slot is {@code outbox}.
     *
     * @param partitionBy the setting of that name
     */
    static Upkeep of(TestDatabase database, String partitionBy) throws SQLException {
        return of(database, partitionBy, "outbox");
    }

    static Upkeep of(TestDatabase database, String partitionBy, String slot) throws SQLException {
        database.apply(OutboxSql.inFolder(TestDatabase.SCRIPTS)
                .with("outbox.partition_by", partitionBy)
                .with("outbox.slot_name", slot));
        if (database.query("SELECT 1 FROM pg_roles WHERE rolname = '" + ROLE + "'")
                .isEmpty()) {
            database.run("CREATE ROLE " + ROLE + " LOGIN", "GRANT outbox_owner TO " + ROLE);
        }
        return new Upkeep(database);
    }

    /** One round, as {@code outboxctl maintain} runs it. */
    List<UpkeepStep> round() throws SQLException, InterruptedException {
        try (Connection connection = database.connect(ROLE)) {
            return OutboxUpkeep.round(connection);
        }
    }

    /** One round, as pg_cron runs it. */
    void call() throws SQLException {
        database.runAs(ROLE, "CALL public.outbox_maintain()");
    }

    CompletableFuture<List<UpkeepStep>> roundInBackground() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return round();
            } catch (SQLException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** A partition of one day, made as long ago as it says. */
    String pastPartition(int daysAgo) throws SQLException {
        String name = "outbox_past_" + daysAgo;
        database.run(
                "SET ROLE outbox_owner",
                "CREATE TABLE " + name + " (LIKE outbox INCLUDING ALL)",
                """
                DO $$
                DECLARE
                    lower timestamptz := date_trunc('day', now() - interval '%1$d days', 'UTC');
                BEGIN
                    EXECUTE format('ALTER TABLE outbox ATTACH PARTITION %2$s FOR VALUES FROM (%%L) TO (%%L)',
                        lower, lower + interval '1 day');
                    INSERT INTO outbox_partition (partition_name, range_from, range_to, made_at)
                    VALUES ('%2$s', lower, lower + interval '1 day', lower);
                END
                $$
                """.formatted(daysAgo, name),
                "RESET ROLE");
        return name;
    }

    /** An event that was written as long ago as it says, give or take an hour. */
    static String insertFrom(int daysAgo) {
        return "INSERT INTO outbox (id, aggregate_type, aggregate_id, payload, created_at) VALUES (gen_random_uuid(),"
                + " 'Order', '7', '{}', date_trunc('day', now() - interval '" + daysAgo
                + " days', 'UTC') + interval '1 hour')";
    }

    /** The connector reads all that is there, and confirms it. */
    int confirmAll() throws SQLException {
        return Integer.parseInt(database.one("SELECT count(*) FROM pg_logical_slot_get_binary_changes" + CHANGES
                + " WHERE get_byte(data, 0) = ascii('I')"));
    }

    /** The connector reads a few transactions, and confirms them; the ids of the events that it has had. */
    List<String> confirmSome(int changes) throws SQLException {
        return database.query("SELECT substring(encode(data, 'escape') FROM '[0-9a-f]{8}-[0-9a-f-]{27}')"
                + " FROM pg_logical_slot_get_binary_changes" + CHANGES.replaceFirst("NULL, NULL", "NULL, " + changes)
                + " WHERE get_byte(data, 0) = ascii('I')");
    }

    boolean exists(String table) throws SQLException {
        return !database.one("SELECT to_regclass('public." + table + "')").equals("null");
    }

    boolean isAttached(String partition) throws SQLException {
        return !database.query("SELECT 1 FROM pg_inherits WHERE inhrelid = 'public." + partition + "'::regclass")
                .isEmpty();
    }

    String audit(String partition) throws SQLException {
        return database.one(
                "SELECT format('%s|%s|%s|%s', CASE WHEN sealed_lsn IS NULL THEN 'attached' ELSE 'sealed' END,"
                        + " CASE WHEN dropped_at IS NULL THEN 'there' ELSE 'dropped' END, dropped_after, kept_because)"
                        + " FROM outbox_partition WHERE partition_name = '" + partition + "'");
    }

    static List<String> objects(List<UpkeepStep> steps, Kind kind) {
        return steps.stream()
                .filter(step -> step.kind() == kind)
                .map(UpkeepStep::object)
                .toList();
    }
}
