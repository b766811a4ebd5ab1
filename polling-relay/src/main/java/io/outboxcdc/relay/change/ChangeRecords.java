package io.outboxcdc.relay.change;

import io.outboxcdc.relay.core.EventRow;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Makes of a row the record of its INSERT, in the shape in which Debezium's PostgreSQL connector would deliver it. What
 * only the write-ahead log tells is not there: position and transaction. Thread-safe.
 */
public final class ChangeRecords {

    private static final String SCHEMA = "public";
    private static final String TABLE = "outbox";

    private final List<OutboxColumn> columns;
    private final Schema row;
    private final Schema source;
    private final Schema change;
    private final String name;
    private final String database;
    private final String topic;

    /**
     * For one table.
     *
     * @param columns in the order of the values of {@link EventRow}
     * @param name what the connector would have as its {@code topic.prefix}
     */
    public ChangeRecords(List<OutboxColumn> columns, String name, String database) {
        this.columns = List.copyOf(columns);
        this.name = name;
        this.database = database;
        this.topic = name + "." + SCHEMA + "." + TABLE;
        SchemaBuilder builder = SchemaBuilder.struct().optional().name(topic + ".Value");
        columns.forEach(column -> builder.field(column.name(), column.type().schema()));
        row = builder.build();
        source = SchemaBuilder.struct()
                .name("io.debezium.connector.postgresql.Source")
                .field("connector", Schema.STRING_SCHEMA)
                .field("name", Schema.STRING_SCHEMA)
                .field("ts_ms", Schema.INT64_SCHEMA)
                .field("db", Schema.STRING_SCHEMA)
                .field("schema", Schema.STRING_SCHEMA)
                .field("table", Schema.STRING_SCHEMA)
                .build();
        change = SchemaBuilder.struct()
                .name(topic + ".Envelope")
                .field("before", row)
                .field("after", row)
                .field("source", source)
                .field("op", Schema.STRING_SCHEMA)
                .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
                .build();
    }

    /**
     * The record of a row's INSERT.
     *
     * @param now when the row was read
     */
    public SourceRecord of(EventRow event, Instant now) {
        Struct after = new Struct(row);
        for (int i = 0; i < columns.size(); i++) {
            after.put(columns.get(i).name(), event.values().get(i));
        }
        Struct origin = new Struct(source)
                .put("connector", "postgresql")
                .put("name", name)
                .put("ts_ms", event.createdAt().toEpochMilli())
                .put("db", database)
                .put("schema", SCHEMA)
                .put("table", TABLE);
        Struct value = new Struct(change)
                .put("after", after)
                .put("source", origin)
                .put("op", "c")
                .put("ts_ms", now.toEpochMilli());
        return new SourceRecord(Map.of(), Map.of(), topic, null, null, null, change, value);
    }
}
