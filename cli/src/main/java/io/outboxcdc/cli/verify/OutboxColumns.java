package io.outboxcdc.cli.verify;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The outbox as it is, and the query that reads what the comparison needs of it.
 *
 * @param table the table's name, quoted where that is needed
 * @param types the columns and their types
 */
record OutboxColumns(String table, Map<String, String> types) {

    private static final String CREATED_AT = "created_at";

    static OutboxColumns read(Connection connection, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT a.attrelid::regclass::text, a.attname, format_type(a.atttypid, NULL)
                FROM pg_attribute a
                WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped
                ORDER BY a.attnum""")) {
            query.setString(1, table);
            Map<String, String> types = new LinkedHashMap<>();
            String name = table;
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    name = rows.getString(1);
                    types.put(rows.getString(2), rows.getString(3));
                }
            }
            OutboxColumns columns = new OutboxColumns(name, types);
            columns.check(table);
            return columns;
        }
    }

    boolean hasTime() {
        return types.containsKey(CREATED_AT);
    }

    /** The rights that the query needs, as a statement for the owner. */
    String grant(String role, OrderSource order) {
        List<String> columns = new ArrayList<>(List.of("id", typeColumn(), aggregateColumn()));
        if (hasTime()) {
            columns.add(CREATED_AT);
        }
        if (order instanceof OrderSource.CommitTime) {
            columns.addAll(List.of("xmin", "xmax", "cmin"));
        } else if (order instanceof OrderSource.Column counter) {
            columns.add(quoted(counter.column()));
        } else if (order instanceof OrderSource.Member member) {
            columns.add(quoted(member.column()));
        }
        return "GRANT SELECT (%s) ON %s TO %s".formatted(String.join(", ", columns), table, role);
    }

    /**
     * Reads id, type, aggregate, time in microseconds, and the two numbers of the order; its parameters are those of the
     * conditions.
     */
    String query(OrderSource order, List<String> conditions) {
        String micros = hasTime()
                ? "CASE WHEN isfinite(created_at) THEN (extract(epoch FROM created_at) * 1000000)::bigint END"
                : "NULL::bigint";
        return "SELECT id::text, %s::text, %s::text, %s, %s FROM %s"
                        .formatted(typeColumn(), aggregateColumn(), micros, sequence(order), table)
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
    }

    String typeColumn() {
        return either("aggregatetype", "aggregate_type");
    }

    private String aggregateColumn() {
        return either("aggregateid", "aggregate_id");
    }

    private String sequence(OrderSource order) {
        if (order instanceof OrderSource.CommitTime) {
            // Whoever deleted or locked the row may have overwritten the command's number.
            return "CASE WHEN xmax::text = '0' THEN"
                    + " (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000000)::bigint END, cmin::text::bigint";
        }
        if (order instanceof OrderSource.Column counter) {
            return counter(quoted(counter.column()) + "::text");
        }
        if (order instanceof OrderSource.Member member) {
            String path = member.path().stream().map(OutboxColumns::literal).collect(Collectors.joining(", "));
            return counter("(%s::jsonb #>> ARRAY[%s])".formatted(quoted(member.column()), path));
        }
        return "NULL::bigint, 0";
    }

    private static String counter(String text) {
        return "CASE WHEN %1$s ~ '^-?[0-9]{1,18}$' THEN %1$s::bigint END, 0".formatted(text);
    }

    private String either(String stock, String ours) {
        // As the router chooses: where both exist, the stock router's.
        return types.containsKey(stock) ? stock : ours;
    }

    private void check(String asked) {
        if (types.isEmpty()) {
            throw new CannotVerifyException(
                    "There is no table %s in this database. Name the outbox with --table.".formatted(asked));
        }
        List<String> missing = Stream.of("id", typeColumn(), aggregateColumn())
                .filter(column -> !types.containsKey(column))
                .toList();
        if (!missing.isEmpty()) {
            throw new CannotVerifyException("Table %s has no column %s; it has %s. Name the outbox with --table."
                    .formatted(table, String.join(", ", missing), String.join(", ", types.keySet())));
        }
    }

    void check(OrderSource order) {
        String column = order instanceof OrderSource.Column counter
                ? counter.column()
                : order instanceof OrderSource.Member member ? member.column() : "id";
        if (!types.containsKey(column)) {
            throw new CannotVerifyException("--order-by names column %s, which table %s has not; it has %s."
                    .formatted(column, table, String.join(", ", types.keySet())));
        }
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
