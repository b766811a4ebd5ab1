package io.outboxcdc.bench;

import io.debezium.data.Json;
import io.debezium.data.Uuid;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

import java.util.Map;
import java.util.UUID;

/**
 * Change records of new outbox rows, in the shape in which Debezium's PostgreSQL connector delivers them. The rows are
 * made once; the record around a row is made anew each time, since the stock router writes into its headers. Not
 * thread-safe.
 */
final class ChangeRecords {

    /** So many that rows differ, so few that they stay in the processor's cache. */
    private static final int ROWS = 64;

    private static final Schema ROW = SchemaBuilder.struct()
            .optional()
            .name("outbox.public.outbox.Value")
            .field("id", Uuid.schema())
            .field("aggregatetype", Schema.STRING_SCHEMA)
            .field("aggregateid", Schema.STRING_SCHEMA)
            .field("type", Schema.OPTIONAL_STRING_SCHEMA)
            .field("payload", Json.builder().optional().build())
            .field("headers", Json.builder().optional().build())
            .build();

    private static final Schema SOURCE = SchemaBuilder.struct()
            .name("io.debezium.connector.postgresql.Source")
            .field("version", Schema.STRING_SCHEMA)
            .field("connector", Schema.STRING_SCHEMA)
            .field("name", Schema.STRING_SCHEMA)
            .field("ts_ms", Schema.INT64_SCHEMA)
            .field(
                    "snapshot",
                    SchemaBuilder.string().optional().defaultValue("false").build())
            .field("db", Schema.STRING_SCHEMA)
            .field("schema", Schema.STRING_SCHEMA)
            .field("table", Schema.STRING_SCHEMA)
            .field("txId", Schema.OPTIONAL_INT64_SCHEMA)
            .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
            .build();

    private static final Schema CHANGE = SchemaBuilder.struct()
            .name("outbox.public.outbox.Envelope")
            .field("before", ROW)
            .field("after", ROW)
            .field("source", SOURCE)
            .field("op", Schema.STRING_SCHEMA)
            .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
            .build();

    private static final long TIME = 1_710_000_000_123L;

    private final Map<String, ?> partition = Map.of("server", "outbox");
    private final Map<String, ?> offset = Map.of("lsn", 24_023_128L);
    private final Struct[] changes = new Struct[ROWS];
    private int next;

    ChangeRecords(RowShape shape) {
        for (int i = 0; i < ROWS; i++) {
            Struct row = new Struct(ROW)
                    .put("id", new UUID(4_711, i).toString())
                    .put("aggregatetype", shape.aggregateType())
                    .put("aggregateid", "O-" + i)
                    .put("type", "OrderPlaced")
                    .put("payload", shape.payload())
                    .put("headers", shape.headers());
            Struct source = new Struct(SOURCE)
                    .put("version", "3.7.0.Final")
                    .put("connector", "postgresql")
                    .put("name", "outbox")
                    .put("ts_ms", TIME)
                    .put("db", "shop")
                    .put("schema", "public")
                    .put("table", "outbox")
                    .put("txId", 700L + i)
                    .put("lsn", 24_023_128L + i);
            changes[i] = new Struct(CHANGE)
                    .put("after", row)
                    .put("source", source)
                    .put("op", "c")
                    .put("ts_ms", TIME);
        }
    }

    SourceRecord next() {
        Struct change = changes[next];
        next = (next + 1) % ROWS;
        return new SourceRecord(partition, offset, "outbox.public.outbox", null, null, null, CHANGE, change);
    }
}
