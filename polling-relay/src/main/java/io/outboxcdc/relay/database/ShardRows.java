package io.outboxcdc.relay.database;

import io.outboxcdc.relay.change.OutboxColumn;
import io.outboxcdc.relay.core.AggregateKey;
import io.outboxcdc.relay.core.BatchNote;
import io.outboxcdc.relay.core.EventRow;
import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The events of one shard. There is no cursor: each time the lowest unpublished ones are read, so that a transaction that
 * commits late is found whatever its place. Not thread-safe.
 */
public final class ShardRows {

    private final Connection connection;
    private final int shard;
    private final List<OutboxColumn> columns;
    private final String ofShard;

    /** Over a connection in auto-commit mode. */
    public ShardRows(Connection connection, int shard, OutboxLayout layout) {
        this.connection = connection;
        this.shard = shard;
        this.columns = layout.columns();
        // As in the index: the number of shards is a literal there.
        this.ofShard = "public.outbox_shard_of(aggregate_id, " + layout.shards() + ") = ? AND published_at IS NULL";
    }

    /**
     * The next unpublished events, in their order.
     *
     * @param blocked   aggregates whose events are left out
     * @param mostBytes as stored; one event is read however large it is
     */
    public List<EventRow> read(Set<AggregateKey> blocked, int mostRows, long mostBytes) throws SQLException {
        try (PreparedStatement read = connection.prepareStatement(query(!blocked.isEmpty()))) {
            int parameter = 0;
            read.setInt(++parameter, shard);
            if (!blocked.isEmpty()) {
                read.setArray(++parameter, texts(blocked, AggregateKey::type));
                read.setArray(++parameter, texts(blocked, AggregateKey::id));
            }
            read.setInt(++parameter, mostRows);
            read.setLong(++parameter, mostBytes);
            List<EventRow> events = new ArrayList<>();
            try (ResultSet row = read.executeQuery()) {
                while (row.next()) {
                    events.add(event(row));
                }
            }
            return events;
        }
    }

    /**
     * Marks the events of a batch that was published, and takes the batch's number as the last. One statement, so that
     * both or neither is there.
     *
     * @return how many were marked; none when the shard's last number is not the one before
     */
    public int mark(BatchNote note) throws SQLException {
        try (PreparedStatement mark = connection.prepareStatement("""
                WITH next AS (
                    UPDATE public.outbox_shard SET batch = ? WHERE shard = ? AND batch = ? RETURNING shard)
                UPDATE public.outbox SET published_at = clock_timestamp()
                WHERE %s AND seq = ANY (?) AND EXISTS (SELECT FROM next)""".formatted(ofShard))) {
            mark.setLong(1, note.number());
            mark.setInt(2, shard);
            mark.setLong(3, note.number() - 1);
            mark.setInt(4, shard);
            mark.setArray(5, numbers(note.seqs()));
            return mark.executeUpdate();
        }
    }

    /** The ids of those events of a batch that are not marked, in the order of their seqs. */
    public List<String> unmarked(BatchNote note) throws SQLException {
        try (PreparedStatement unmarked = connection.prepareStatement(
                "SELECT id::text FROM public.outbox WHERE %s AND seq = ANY (?) ORDER BY seq".formatted(ofShard))) {
            unmarked.setInt(1, shard);
            unmarked.setArray(2, numbers(note.seqs()));
            List<String> ids = new ArrayList<>();
            try (ResultSet row = unmarked.executeQuery()) {
                while (row.next()) {
                    ids.add(row.getString(1));
                }
            }
            return ids;
        }
    }

    /** Publishing these failed once more. */
    public void countAttempt(List<Long> seqs) throws SQLException {
        try (PreparedStatement count = connection.prepareStatement(
                "UPDATE public.outbox SET attempts = attempts + 1 WHERE %s AND seq = ANY (?)".formatted(ofShard))) {
            count.setInt(1, shard);
            count.setArray(2, numbers(seqs));
            count.executeUpdate();
        }
    }

    /** When the transaction of the first unpublished event began; empty when all are published. */
    public Optional<Instant> oldest() throws SQLException {
        try (PreparedStatement oldest = connection.prepareStatement(
                "SELECT created_at FROM public.outbox WHERE %s ORDER BY seq LIMIT 1".formatted(ofShard))) {
            oldest.setInt(1, shard);
            try (ResultSet row = oldest.executeQuery()) {
                return row.next()
                        ? Optional.of(row.getObject(1, OffsetDateTime.class).toInstant())
                        : Optional.empty();
            }
        }
    }

    private String query(boolean withBlocked) {
        String results =
                IntStream.range(0, columns.size()).mapToObj(i -> ", c" + i).collect(Collectors.joining());
        String selected = IntStream.range(0, columns.size())
                .mapToObj(i -> ", " + quoted(columns.get(i).name()) + " AS c" + i)
                .collect(Collectors.joining());
        String bytes = columns.stream()
                .map(column -> "coalesce(pg_column_size(" + quoted(column.name()) + "), 0)")
                .collect(Collectors.joining(" + "));
        String without = withBlocked
                ? " AND (coalesce(aggregate_type, ''), coalesce(aggregate_id, ''))"
                        + " NOT IN (SELECT * FROM unnest(?::text[], ?::text[]))"
                : "";
        return """
                SELECT seq, event, of_type, of_id, attempts, created_at%s FROM (
                    SELECT *, sum(bytes) OVER (ORDER BY seq) - bytes AS bytes_before FROM (
                        SELECT seq, id::text AS event, aggregate_type AS of_type, aggregate_id AS of_id, attempts,
                            created_at, %s AS bytes%s
                        FROM public.outbox WHERE %s%s ORDER BY seq LIMIT ?) AS next) AS counted
                WHERE bytes_before < ? ORDER BY seq""".formatted(results, bytes, selected, ofShard, without);
    }

    private EventRow event(ResultSet row) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>(columns.size());
        int column = 7;
        for (OutboxColumn each : columns) {
            values.add(each.type().read(row, column++));
        }
        return new EventRow(
                row.getLong(1),
                row.getString(2),
                new AggregateKey(row.getString(3), row.getString(4)),
                row.getInt(5),
                row.getObject(6, OffsetDateTime.class).toInstant(),
                values);
    }

    /** NULL and empty wait together: neither is in a table that has its checks. */
    private Array texts(Set<AggregateKey> keys, Function<AggregateKey, @Nullable String> part) throws SQLException {
        return connection.createArrayOf(
                "text",
                keys.stream()
                        .map(key -> {
                            String text = part.apply(key);
                            return text == null ? "" : text;
                        })
                        .toArray());
    }

    private Array numbers(List<Long> seqs) throws SQLException {
        return connection.createArrayOf("int8", seqs.toArray());
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
