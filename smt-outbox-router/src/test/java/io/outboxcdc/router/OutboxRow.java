package io.outboxcdc.router;

import io.debezium.data.Json;
import io.debezium.data.Uuid;
import io.debezium.time.ZonedTimestamp;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds change records of an outbox row, in the shape in which Debezium's PostgreSQL connector delivers them. */
final class OutboxRow {

    static final String ID = "772590bf-ef2d-4814-b4bf-ddc6f5f8b9c5";
    static final long CAPTURED_AT = 1_710_000_000_123L;
    static final long COMMITTED_AT = CAPTURED_AT - 124;
    static final long LSN = 0x0000_0001_016B_3748L;

    /** As the connector writes it: where the last commit before the change is, and where the change is. */
    static final String SEQUENCE = "[\"" + 0x0000_0001_016B_3000L + "\",\"" + LSN + "\"]";

    static final Schema SOURCE = SchemaBuilder.struct()
            .name("io.debezium.connector.postgresql.Source")
            .field("name", Schema.STRING_SCHEMA)
            .field("ts_ms", Schema.INT64_SCHEMA)
            .field("sequence", Schema.OPTIONAL_STRING_SCHEMA)
            .field("schema", Schema.STRING_SCHEMA)
            .field("table", Schema.STRING_SCHEMA)
            .field("txId", Schema.OPTIONAL_INT64_SCHEMA)
            .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
            .optional()
            .build();

    private final Map<String, SchemaAndValue> columns = new LinkedHashMap<>();
    private final List<String> headerNames = new ArrayList<>();
    private String operation = "c";
    private String table = "outbox";
    private boolean withSource = true;
    private long capturedAt = CAPTURED_AT;

    private OutboxRow() {}

    /** A row of the supplied table. */
    static OutboxRow aRow() {
        return new OutboxRow()
                .with("id", Uuid.schema(), ID)
                .with("aggregate_type", Schema.STRING_SCHEMA, "Order")
                .with("aggregate_id", Schema.STRING_SCHEMA, "42")
                .with("event_type", Schema.OPTIONAL_STRING_SCHEMA, "OrderPlaced")
                .with("payload", Json.builder().optional().build(), "{\"a\": 1}")
                .with("headers", Json.builder().optional().build(), null)
                .with("created_at", ZonedTimestamp.builder().optional().build(), null);
    }

    /** A row of the table that the stock router expects. */
    static OutboxRow aStockRow() {
        return new OutboxRow()
                .with("id", Uuid.schema(), ID)
                .with("aggregatetype", Schema.STRING_SCHEMA, "Order")
                .with("aggregateid", Schema.STRING_SCHEMA, "42")
                .with("type", Schema.STRING_SCHEMA, "OrderPlaced")
                .with("payload", Json.builder().optional().build(), "{\"a\": 1}");
    }

    /** Sets a column's value and keeps its schema, made optional so that NULL can be written. */
    OutboxRow with(String column, @Nullable Object value) {
        SchemaAndValue old = columns.get(column);
        if (old == null) {
            throw new IllegalArgumentException("No column " + column);
        }
        Schema schema = old.schema();
        if (value == null && !schema.isOptional()) {
            schema = schema.name() == null
                    ? new SchemaBuilder(schema.type()).optional().build()
                    : new SchemaBuilder(schema.type())
                            .name(schema.name())
                            .version(schema.version())
                            .optional()
                            .build();
        }
        return with(column, schema, value);
    }

    OutboxRow with(String column, Schema schema, @Nullable Object value) {
        columns.put(column, new SchemaAndValue(schema, value));
        return this;
    }

    OutboxRow without(String column) {
        columns.remove(column);
        return this;
    }

    OutboxRow operation(String code) {
        operation = code;
        return this;
    }

    OutboxRow table(String name) {
        table = name;
        return this;
    }

    OutboxRow withoutSource() {
        withSource = false;
        return this;
    }

    OutboxRow capturedAt(long millis) {
        capturedAt = millis;
        return this;
    }

    OutboxRow header(String name) {
        headerNames.add(name);
        return this;
    }

    SourceRecord record() {
        SchemaBuilder rowBuilder = SchemaBuilder.struct().optional().name("pg.public." + table + ".Value");
        columns.forEach((name, column) -> rowBuilder.field(name, column.schema()));
        Schema rowSchema = rowBuilder.build();
        Struct row = new Struct(rowSchema);
        columns.forEach((name, column) -> row.put(name, column.value()));

        Schema schema = SchemaBuilder.struct()
                .name("pg.public." + table + ".Envelope")
                .field("before", rowSchema)
                .field("after", rowSchema)
                .field("source", SOURCE)
                .field("op", Schema.STRING_SCHEMA)
                .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
                .build();
        Struct change = new Struct(schema).put("op", operation).put("ts_ms", capturedAt);
        if (operation.equals("d") || operation.equals("u")) {
            change.put("before", row);
        }
        if (!operation.equals("d") && !operation.equals("t")) {
            change.put("after", row);
        }
        if (withSource) {
            change.put(
                    "source",
                    new Struct(SOURCE)
                            .put("name", "pg")
                            .put("ts_ms", COMMITTED_AT)
                            .put("sequence", SEQUENCE)
                            .put("schema", "public")
                            .put("table", table)
                            .put("txId", 765L)
                            .put("lsn", LSN));
        }
        ConnectHeaders headers = new ConnectHeaders();
        headerNames.forEach(name -> headers.addString(name, "before"));
        return new SourceRecord(
                Map.of("server", "pg"),
                Map.of("lsn", LSN),
                "pg.public." + table,
                null,
                null,
                null,
                schema,
                change,
                null,
                headers);
    }

    /** The tombstone that follows a DELETE. */
    static SourceRecord tombstone(String table) {
        Schema key = SchemaBuilder.struct()
                .name("pg.public." + table + ".Key")
                .field("id", Schema.STRING_SCHEMA)
                .build();
        return new SourceRecord(
                Map.of(), Map.of(), "pg.public." + table, null, key, new Struct(key).put("id", ID), null, null);
    }
}
