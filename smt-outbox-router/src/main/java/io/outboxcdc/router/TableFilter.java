package io.outboxcdc.router;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which tables are the outbox. The expressions are read as Debezium reads those of the connector's own
 * {@code table.include.list}: split at commas that no backslash precedes, matched against the whole of
 * {@code schema.table}, without regard to case.
 */
final class TableFilter {

    /** The filter when no tables are named: every change is the outbox's, as in the stock router. */
    static final TableFilter EVERY_TABLE = new TableFilter(List.of());

    private static final Pattern COMMA = Pattern.compile("(?<!\\\\),");

    private static final int TABLES_KEPT = 1_000;

    private final List<Pattern> tables;
    private final BoundedCache<TableName, Boolean> known = new BoundedCache<>(TABLES_KEPT);

    private TableFilter(List<Pattern> tables) {
        this.tables = tables;
    }

    static TableFilter of(String expressions) {
        return new TableFilter(expressions(expressions).stream()
                .map(expression -> Pattern.compile(expression, Pattern.CASE_INSENSITIVE))
                .toList());
    }

    static List<String> expressions(String text) {
        return Arrays.stream(COMMA.split(text, -1))
                .map(part -> part.replace("\\,", ",").trim())
                .toList();
    }

    boolean takesEveryTable() {
        return tables.isEmpty();
    }

    boolean includes(TableName table) {
        return takesEveryTable() || known.get(table, this::matches);
    }

    private boolean matches(TableName table) {
        String name = table.toString();
        return tables.stream().anyMatch(pattern -> pattern.matcher(name).matches());
    }
}
