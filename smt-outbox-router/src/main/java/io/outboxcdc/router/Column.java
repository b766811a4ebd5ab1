package io.outboxcdc.router;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** A column of the outbox table, found once per table schema. */
final class Column {

    private final Field field;
    private final boolean hasDefault;

    Column(Field field) {
        this.field = field;
        this.hasDefault = field.schema().defaultValue() != null;
    }

    String name() {
        return field.name();
    }

    Schema schema() {
        return field.schema();
    }

    /**
     * The value as it is in the row. Connect's plain getter puts the column's default in the place of NULL; for
     * {@code DEFAULT now()} the connector reports 1970.
     */
    @Nullable
    Object of(Struct row) {
        return hasDefault ? row.getWithoutDefault(field.name()) : row.get(field);
    }
}
