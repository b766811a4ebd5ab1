package io.outboxcdc.router;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** A table as PostgreSQL names it. */
record TableName(String schema, String table) {

    /**
     * The table in a name that Debezium has made of {@code prefix.schema.table}, such as a topic or the name of a key or
     * envelope schema without its last part. The prefix may hold dots; a table's name that holds one is not told apart.
     */
    static Optional<TableName> lastPartsOf(@Nullable String name) {
        if (name == null) {
            return Optional.empty();
        }
        int table = name.lastIndexOf('.');
        int schema = name.lastIndexOf('.', table - 1);
        if (table <= 0) {
            return Optional.empty();
        }
        return Optional.of(new TableName(name.substring(schema + 1, table), name.substring(table + 1)));
    }

    @Override
    public String toString() {
        return schema + "." + table;
    }
}
