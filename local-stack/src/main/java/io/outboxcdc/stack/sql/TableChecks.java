package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.Finding.Code;
import io.outboxcdc.stack.sql.OutboxFacts.Table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether rows of the outbox reach the WAL, in the shape that the router reads. */
final class TableChecks {
    /** The types that a column may have, the usual one first. */
    private static final Map<String, List<String>> COLUMN_TYPES = columnTypes();

    private final OutboxTarget target;

    private final Findings findings;

    TableChecks(OutboxTarget target, Findings findings) {
        this.target = target;
        this.findings = findings;
    }

    static Set<String> columns() {
        return COLUMN_TYPES.keySet();
    }

    void missing(String database) {
        findings.add(
                Code.TABLE_MISSING,
                table(),
                "it does not exist in database " + database,
                "Apply sql/20_outbox.sql, or correct table.include.list.");
    }

    void check(Table table) {
        if (!table.logged()) {
            findings.add(
                    Code.TABLE_NOT_LOGGED,
                    table(),
                    "it is UNLOGGED or temporary, so its rows never reach the WAL",
                    alter() + " SET LOGGED;");
        }
        COLUMN_TYPES.forEach((column, types) -> {
            String found = table.columnTypes().get(column);
            String usual = types.get(0);
            if (found == null) {
                findings.add(
                        Code.COLUMN_MISSING,
                        table(),
                        "column " + column + " is missing",
                        alter() + " ADD COLUMN " + column + " " + usual
                                + "; then apply sql/20_outbox.sql and sql/30_publication.sql.");
            } else if (!types.contains(found)) {
                findings.add(
                        Code.COLUMN_TYPE,
                        table(),
                        "column " + column + " is " + found + ", not " + String.join(" or ", types),
                        alter() + " ALTER COLUMN " + column + " TYPE " + usual + " USING " + column + "::" + usual
                                + ";");
            }
        });
    }

    private String alter() {
        return "ALTER TABLE " + target.qualifiedTable();
    }

    private String table() {
        return "table " + target.qualifiedTable();
    }

    private static Map<String, List<String>> columnTypes() {
        Map<String, List<String>> types = new LinkedHashMap<>();
        types.put("id", List.of("uuid"));
        types.put("aggregate_type", List.of("text"));
        types.put("aggregate_id", List.of("text"));
        types.put("event_type", List.of("text"));
        types.put("payload", List.of("jsonb", "json", "text", "bytea"));
        types.put("headers", List.of("jsonb"));
        types.put("created_at", List.of("timestamp with time zone"));
        return types;
    }
}
