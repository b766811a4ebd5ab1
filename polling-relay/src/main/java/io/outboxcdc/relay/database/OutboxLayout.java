package io.outboxcdc.relay.database;

import io.outboxcdc.relay.change.ColumnType;
import io.outboxcdc.relay.change.OutboxColumn;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the relay finds in the database.
 *
 * @param database   its name
 * @param shards     how many there are
 * @param columns    those that the router gets
 * @param takenOver  whether another publisher takes the events that are written now
 * @param role       as whom the relay has logged in
 */
public record OutboxLayout(String database, int shards, List<OutboxColumn> columns, boolean takenOver, String role) {

    private static final String TO_DO = " Apply sql/65_polling.sql with outbox.polling = on.";

    /** Copies the columns. */
    public OutboxLayout {
        columns = List.copyOf(columns);
    }

    /**
     * Looks at the outbox.
     *
     * @param wanted   the names of the columns for the router
     * @param problems takes everything that keeps the relay from working; then the layout is of no use
     */
    public static Optional<OutboxLayout> read(Connection connection, List<String> wanted, List<String> problems)
            throws SQLException {
        Map<String, String> types = types(connection);
        if (types.isEmpty()) {
            problems.add("there is no table public.outbox." + TO_DO);
            return Optional.empty();
        }
        for (String own : List.of("seq", "published_at", "attempts", "created_at")) {
            if (!types.containsKey(own)) {
                problems.add("public.outbox has no column " + own + "." + TO_DO);
            }
        }
        List<OutboxColumn> columns = new ArrayList<>();
        for (String name : wanted) {
            String type = types.get(name);
            Optional<ColumnType> known = Optional.ofNullable(type).flatMap(ColumnType::named);
            known.ifPresent(found -> columns.add(new OutboxColumn(name, found)));
            if (type == null) {
                problems.add("public.outbox has no column " + name + ", which the option columns names; it has "
                        + String.join(", ", types.keySet()));
            } else if (known.isEmpty()) {
                problems.add("column " + name + " of public.outbox is of type " + type
                        + ", which the relay cannot read; leave it out of the option columns");
            }
        }
        if (text(connection, "SELECT to_regclass('public.outbox_shard')::text").isEmpty()) {
            problems.add("there is no table public.outbox_shard." + TO_DO);
        }
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new OutboxLayout(
                text(connection, "SELECT current_database()::text").orElseThrow(),
                Integer.parseInt(text(connection, "SELECT count(*)::text FROM public.outbox_shard")
                        .orElseThrow()),
                columns,
                isTakenOver(connection),
                text(connection, "SELECT current_user::text").orElseThrow()));
    }

    /** Whether new rows count as published from the start: see {@code sql/65_polling.sql}. */
    public static boolean isTakenOver(Connection connection) throws SQLException {
        return text(connection, """
                        SELECT 'yes' FROM pg_attribute
                        WHERE attrelid = 'public.outbox'::regclass AND attname = 'published_at' AND atthasdef""").isPresent();
    }

    private static Map<String, String> types(Connection connection) throws SQLException {
        Map<String, String> types = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        SELECT a.attname, t.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
                        WHERE a.attrelid = to_regclass('public.outbox') AND a.attnum > 0 AND NOT a.attisdropped
                        ORDER BY a.attnum""")) {
            while (row.next()) {
                types.put(row.getString(1), row.getString(2));
            }
        }
        return types;
    }

    private static Optional<String> text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
        }
    }
}
