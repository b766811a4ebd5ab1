package io.outboxcdc.router;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * The structure that holds the payload and the columns that are placed beside it, in the stock router's form. Its schema
 * is remembered by all that shapes it: the aggregate type, the version and the payload's schema; the columns are those
 * of one table schema, to which this object belongs. Thread-safe.
 */
final class PayloadEnvelope {

    static final String PAYLOAD = "payload";

    private static final int SCHEMAS_KEPT = 1_000;

    private final @Nullable String rowName;
    private final List<OutboxTable.PlacedColumn> placed;
    private final Optional<Column> version;
    private final BoundedCache<Key, Schema> schemas = new BoundedCache<>(SCHEMAS_KEPT);

    private record Key(String aggregateType, @Nullable Integer version, Schema payload) {}

    /** @param rowName the name of the row's schema */
    PayloadEnvelope(@Nullable String rowName, List<OutboxTable.PlacedColumn> placed, Optional<Column> version) {
        this.rowName = rowName;
        this.placed = List.copyOf(placed);
        this.version = version;
    }

    Struct around(Schema payloadSchema, @Nullable Object payload, Struct row, String aggregateType) {
        Number number = (Number) version.map(column -> column.of(row)).orElse(null);
        Key key = new Key(aggregateType, number == null ? null : (Integer) number.intValue(), payloadSchema);
        Schema schema = schemas.get(key, this::schema);
        Struct value = new Struct(schema);
        put(value, schema.field(PAYLOAD), payload);
        for (OutboxTable.PlacedColumn one : placed) {
            put(value, schema.field(one.name()), one.column().of(row));
        }
        return value;
    }

    static long sizeBesidePayload(Struct value) {
        long size = 0;
        for (Field field : value.schema().fields()) {
            size += RecordSize.of(field.name())
                    + (field.name().equals(PAYLOAD) ? 0 : RecordSize.of(value.getWithoutDefault(field.name())));
        }
        return size;
    }

    /** NULL is left as it is: put in, it would be refused for a column that has a default and no place for NULL. */
    private static void put(Struct value, Field field, @Nullable Object content) {
        if (content != null) {
            value.put(field, content);
        }
    }

    private Schema schema(Key key) {
        SchemaBuilder builder = SchemaBuilder.struct().name(name(key.aggregateType));
        if (key.version != null) {
            builder.version(key.version);
        }
        builder.field(PAYLOAD, key.payload);
        for (OutboxTable.PlacedColumn one : placed) {
            builder.field(one.name(), one.column().schema());
        }
        return builder.build();
    }

    private String name(String aggregateType) {
        if (rowName == null) {
            return aggregateType;
        }
        int lastPart = rowName.lastIndexOf('.') + 1;
        return rowName.substring(0, lastPart) + aggregateType + "." + rowName.substring(lastPart);
    }
}
