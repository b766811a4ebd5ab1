package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Builds the records of logical messages, in the shape in which Debezium's PostgreSQL connector delivers them. */
final class OutboxMessage {

    private OutboxMessage() {}

    static SourceRecord of(String json) {
        return of("outbox", json.getBytes(StandardCharsets.UTF_8), 765L);
    }

    static SourceRecord of(String prefix, byte[] content, @Nullable Long transaction) {
        return of(prefix, Schema.OPTIONAL_BYTES_SCHEMA, ByteBuffer.wrap(content), transaction);
    }

    /** With our prefix, and content as other settings of the connector deliver it. */
    static SourceRecord ofContent(Schema schema, @Nullable Object content) {
        return of("outbox", schema, content, 765L);
    }

    private static SourceRecord of(
            String prefix, Schema contentSchema, @Nullable Object content, @Nullable Long transaction) {
        Schema messageSchema = SchemaBuilder.struct()
                .name("io.debezium.connector.postgresql.Message")
                .field("prefix", Schema.OPTIONAL_STRING_SCHEMA)
                .field("content", contentSchema)
                .build();
        Schema schema = SchemaBuilder.struct()
                .name("io.debezium.connector.postgresql.MessageValue")
                .field("op", Schema.STRING_SCHEMA)
                .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
                .field("source", OutboxRow.SOURCE)
                .field("message", messageSchema)
                .build();
        Struct source = new Struct(OutboxRow.SOURCE)
                .put("name", "pg")
                .put("ts_ms", OutboxRow.COMMITTED_AT)
                .put("sequence", OutboxRow.SEQUENCE)
                .put("schema", "")
                .put("table", "")
                .put("txId", transaction)
                .put("lsn", OutboxRow.LSN);
        Struct value = new Struct(schema)
                .put("op", "m")
                .put("ts_ms", OutboxRow.CAPTURED_AT)
                .put("source", source)
                .put("message", new Struct(messageSchema).put("prefix", prefix).put("content", content));
        return new SourceRecord(
                Map.of("server", "pg"), Map.of("lsn", OutboxRow.LSN), "pg.message", null, null, null, schema, value);
    }
}
