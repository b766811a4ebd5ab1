package io.outboxcdc.cli.slot;

import io.outboxcdc.cli.slot.Situation.Server;
import io.outboxcdc.cli.slot.Situation.Slot;
import io.outboxcdc.monitor.core.Lsn;
import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A slot in its database. The login needs REPLICATION, as {@code outbox_cdc} has; to make a slot anew it has to be a member of
 * {@code outbox_owner} too, or a superuser. Not thread-safe.
 */
public final class SlotDatabase {

    /** The prefix of the messages that tell in the WAL what was done; no connector of ours takes it. */
    public static final String LOG_PREFIX = "outbox-operator";

    private static final int FAILOVER_SINCE = 17;

    private static final String SERVER = """
            SELECT (SELECT system_identifier::text FROM pg_control_system()) AS identifier,
                current_database() AS database, pg_is_in_recovery() AS standby,
                CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END::text
                    AS wal_end,
                coalesce(has_table_privilege(to_regclass('public.outbox_slot'), 'DELETE'), true) AS may_register,
                to_regclass('public.outbox_slot') IS NOT NULL AS registry
            """;

    private static final String SLOT = """
            SELECT slot_type = 'logical' AS logical, coalesce(database, '') AS database, active_pid,
                coalesce(wal_status, '') = 'lost' OR %s AS lost, restart_lsn::text AS restart,
                confirmed_flush_lsn::text AS confirmed, %s AS failover, %s AS copy
            FROM pg_replication_slots WHERE slot_name = ?
            """;

    private final Connection connection;
    private final String name;
    private final int version;

    /** The slot {@code name}, over a connection in auto-commit mode. */
    public SlotDatabase(Connection connection, String name) throws SQLException {
        this.connection = connection;
        this.name = name;
        this.version = connection.getMetaData().getDatabaseMajorVersion();
    }

    /** The slot and its server as they are now. */
    public Situation read(Optional<Situation.Reader> reader) throws SQLException {
        return new Situation(server(), slot(), reader);
    }

    /** Writes what is about to be done into the WAL and, where {@code sql/} has made it, into {@code outbox_slot_log}. */
    public void log(Deed deed, Situation situation, Loss loss) throws SQLException {
        String from =
                situation.slot().flatMap(Slot::confirmed).map(Lsn::toString).orElse(null);
        String to = deed instanceof Deed.Advance advance ? advance.to().toString() : null;
        try (PreparedStatement message = connection.prepareStatement("SELECT pg_logical_emit_message(true, ?,"
                + " json_build_object('action', ?::text, 'slot', ?::text, 'by', session_user, 'from', ?::text,"
                + " 'to', ?::text, 'lost', ?::text)::text)")) {
            message.setString(1, LOG_PREFIX);
            set(message, 2, deed, from, to, loss);
            message.execute();
        }
        if (!isTrue("SELECT coalesce(has_table_privilege(to_regclass('public.outbox_slot_log'), 'INSERT'), false)")) {
            return;
        }
        try (PreparedStatement row = connection.prepareStatement("INSERT INTO public.outbox_slot_log"
                + " (action, slot_name, from_lsn, to_lsn, lost) VALUES (?, ?, ?::pg_lsn, ?::pg_lsn, ?)")) {
            set(row, 1, deed, from, to, loss);
            row.execute();
        }
    }

    private void set(
            PreparedStatement statement, int first, Deed deed, @Nullable String from, @Nullable String to, Loss loss)
            throws SQLException {
        statement.setString(first, deed.word());
        statement.setString(first + 1, name);
        statement.setString(first + 2, from);
        statement.setString(first + 3, to);
        statement.setString(first + 4, loss.toString());
    }

    /** Does it. */
    public void perform(Deed deed, Situation situation) throws SQLException {
        if (deed instanceof Deed.Advance advance) {
            execute(
                    "SELECT pg_replication_slot_advance(?, ?::pg_lsn)",
                    name,
                    advance.to().toString());
            return;
        }
        if (situation.slot().isPresent()) {
            execute("SELECT pg_drop_replication_slot(?)", name);
        }
        if (deed instanceof Deed.Recreate) {
            // Not registered, nothing is removed from the outbox until everything has been sent again.
            if (isTrue("SELECT to_regclass('public.outbox_slot') IS NOT NULL")) {
                execute("DELETE FROM public.outbox_slot WHERE slot_name = ?", name);
            }
            boolean failover = situation.slot().map(Slot::failover).orElse(true);
            execute(
                    "SELECT pg_create_logical_replication_slot(?, 'pgoutput'"
                            + (version >= FAILOVER_SINCE ? ", failover => " + failover : "") + ")",
                    name);
        }
    }

    private Server server() throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(SERVER);
                ResultSet row = query.executeQuery()) {
            row.next();
            return new Server(
                    row.getString("identifier"),
                    row.getString("database"),
                    row.getBoolean("standby"),
                    version,
                    Lsn.parse(row.getString("wal_end")),
                    row.getBoolean("may_register"),
                    row.getBoolean("registry") ? publication() : Optional.empty());
        }
    }

    private Optional<String> publication() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT publication_name FROM public.outbox_slot WHERE slot_name = ?")) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        }
    }

    private Optional<Slot> slot() throws SQLException {
        boolean failovers = version >= FAILOVER_SINCE;
        try (PreparedStatement query = connection.prepareStatement(SLOT.formatted(
                failovers ? "invalidation_reason IS NOT NULL" : "false",
                failovers ? "failover" : "false",
                failovers ? "synced" : "false"))) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                int pid = row.getInt("active_pid");
                Optional<Integer> reader = row.wasNull() ? Optional.empty() : Optional.of(pid);
                return Optional.of(new Slot(
                        row.getBoolean("logical"),
                        row.getString("database"),
                        reader,
                        row.getBoolean("lost"),
                        row.getBoolean("failover"),
                        row.getBoolean("copy"),
                        lsn(row.getString("restart")),
                        lsn(row.getString("confirmed"))));
            }
        }
    }

    private static Optional<Lsn> lsn(@Nullable String text) {
        return Optional.ofNullable(text).map(Lsn::parse);
    }

    private boolean isTrue(String query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private void execute(String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int index = 0; index < values.length; index++) {
                statement.setString(index + 1, values[index]);
            }
            statement.execute();
        }
    }
}
