package io.outboxcdc.relay.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Leases and instances, in the tables {@code outbox_shard} and {@code outbox_relay}. Every time is the database's, so
 * clocks of instances need not agree. Leases share the work out; that nothing is published twice rests on Kafka's fencing.
 */
public final class ShardTable {

    private final Connection connection;
    private final String instance;
    private final Duration lease;

    /** For one instance, over a connection in auto-commit mode. */
    public ShardTable(Connection connection, String instance, Duration lease) {
        this.connection = connection;
        this.instance = instance;
        this.lease = lease;
    }

    /** Says that this instance is alive, and returns all that are. */
    public Set<String> join() throws SQLException {
        try (PreparedStatement join = connection.prepareStatement("""
                INSERT INTO public.outbox_relay (instance, alive_until)
                VALUES (?, clock_timestamp() + ? * interval '1 millisecond')
                ON CONFLICT (instance) DO UPDATE SET alive_until = excluded.alive_until""")) {
            join.setString(1, instance);
            join.setLong(2, lease.toMillis());
            join.executeUpdate();
        }
        Set<String> alive = new HashSet<>();
        try (PreparedStatement others = connection.prepareStatement("""
                WITH gone AS (DELETE FROM public.outbox_relay WHERE alive_until < clock_timestamp())
                SELECT instance FROM public.outbox_relay WHERE alive_until >= clock_timestamp()""");
                ResultSet row = others.executeQuery()) {
            while (row.next()) {
                alive.add(row.getString(1));
            }
        }
        return alive;
    }

    /** Prolongs the leases of this instance and returns them. */
    public Set<Lease> renew() throws SQLException {
        try (PreparedStatement renew = connection.prepareStatement("""
                UPDATE public.outbox_shard SET leased_until = clock_timestamp() + ? * interval '1 millisecond'
                WHERE owner = ? RETURNING shard, epoch""")) {
            renew.setLong(1, lease.toMillis());
            renew.setString(2, instance);
            return new HashSet<>(leases(renew));
        }
    }

    /** Takes shards that nobody has a lease on. */
    public List<Lease> claim(int most) throws SQLException {
        try (PreparedStatement claim = connection.prepareStatement("""
                UPDATE public.outbox_shard SET owner = ?, epoch = epoch + 1,
                    leased_until = clock_timestamp() + ? * interval '1 millisecond'
                WHERE shard IN (SELECT shard FROM public.outbox_shard
                    WHERE owner IS NULL OR leased_until < clock_timestamp()
                    ORDER BY shard LIMIT ? FOR UPDATE SKIP LOCKED)
                RETURNING shard, epoch""")) {
            claim.setString(1, instance);
            claim.setLong(2, lease.toMillis());
            claim.setInt(3, most);
            return leases(claim);
        }
    }

    /** Gives a shard back, unless somebody else has it by now. */
    public static void release(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement release = connection.prepareStatement("""
                UPDATE public.outbox_shard SET owner = NULL, leased_until = NULL WHERE shard = ? AND epoch = ?""")) {
            release.setInt(1, lease.shard());
            release.setLong(2, lease.epoch());
            release.executeUpdate();
        }
    }

    /** This instance ends. */
    public void leave() throws SQLException {
        try (PreparedStatement leave =
                connection.prepareStatement("DELETE FROM public.outbox_relay WHERE instance = ?")) {
            leave.setString(1, instance);
            leave.executeUpdate();
        }
    }

    /** The number of the last batch whose rows are marked; empty when the lease is over. */
    public static OptionalLong batch(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement batch =
                connection.prepareStatement("SELECT batch FROM public.outbox_shard WHERE shard = ? AND epoch = ?")) {
            batch.setInt(1, lease.shard());
            batch.setLong(2, lease.epoch());
            try (ResultSet row = batch.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    private static List<Lease> leases(PreparedStatement statement) throws SQLException {
        List<Lease> leases = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                leases.add(new Lease(row.getInt(1), row.getLong(2)));
            }
        }
        return leases;
    }
}
