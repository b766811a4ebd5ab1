package io.outboxcdc.it.sql;

/** SQL that writes events. */
final class Events {
    static final String INSERT = "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload)"
            + " VALUES (gen_random_uuid(), 'Order', '7', 'OrderPlaced', '{\"total\": 1}')";

    private Events() {}

    /** An insert with one column set to an SQL expression. */
    static String insertWith(String column, String expression) {
        return "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, headers) SELECT"
                + " gen_random_uuid(), "
                + value(column, "aggregate_type", expression, "'Order'") + ", "
                + value(column, "aggregate_id", expression, "'7'") + ", "
                + value(column, "event_type", expression, "'OrderPlaced'") + ", "
                + value(column, "payload", expression, "'{}'") + ", "
                + value(column, "headers", expression, "NULL");
    }

    private static String value(String column, String name, String expression, String ordinary) {
        return column.equals(name) ? expression : ordinary;
    }
}
