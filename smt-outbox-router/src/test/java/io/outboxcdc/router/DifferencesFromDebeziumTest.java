package io.outboxcdc.router;

import io.debezium.time.MicroTimestamp;
import io.debezium.time.ZonedTimestamp;
import io.debezium.transforms.outbox.EventRouter;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds {@code docs/reference/differences-from-debezium.md} to what both routers do: each row of its tables about rows,
 * documents and records is a case here, by the text of its first column.
 */
class DifferencesFromDebeziumTest {

    private static final String EXPAND = "table.expand.json.payload=true";
    private static final String STOPS = "stops";
    private static final String DROPPED = "dropped";
    private static final Set<String> HEADS = Set.of("Row", "Document or set-up", "Record", "---");

    private final List<DynamicTest> cases = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /** What a router makes of a row, as far as a case looks. */
    @FunctionalInterface
    private interface Look {

        Object at(SourceRecord record);
    }

    private static final Look TOPIC = SourceRecord::topic;
    private static final Look VALUE = record -> String.valueOf(record.value());
    private static final Look REASON = record -> Objects.requireNonNull(
            RouterUnderTest.header(record, "outbox.error.reason"), () -> "an event in " + record.topic());

    private static OutboxRow row() {
        return OutboxRow.aStockRow();
    }

    private static OutboxRow document(String json) {
        return row().with("payload", json);
    }

    @TestFactory
    Stream<DynamicTest> rows() {
        differ("Aggregate type NULL", "", row().with("aggregatetype", null), TOPIC, STOPS, REASON, "TYPE_MISSING");
        differ(
                "Aggregate type blank, or one that makes no legal topic",
                "",
                row().with("aggregatetype", "a/b"),
                TOPIC,
                "outbox.event.a/b",
                REASON,
                "TOPIC_ILLEGAL");
        differ(
                "Aggregate type that `route.topic.regex` does not match",
                "route.topic.regex=x(?<routedByValue>.*)",
                row(),
                TOPIC,
                "Order",
                REASON,
                "TYPE_NOT_MATCHED");
        after(
                "Topic that differs from one in use by `.` and `_` only",
                "",
                row().with("aggregatetype", "a.b"),
                row().with("aggregatetype", "a_b"),
                TOPIC,
                "outbox.event.a_b",
                REASON,
                "TOPIC_COLLIDES");
        differ(
                "Key NULL or blank",
                "",
                row().with("aggregateid", null),
                record -> String.valueOf(record.key()),
                "null",
                REASON,
                "KEY_MISSING");
        differ(
                "Event id NULL or blank",
                "",
                row().with("id", null),
                record -> String.valueOf(RouterUnderTest.header(record, "id")),
                "null",
                REASON,
                "ID_MISSING");
        differ(
                "Payload NULL, `route.tombstone.on.empty.payload` false",
                "",
                row().with("payload", null),
                VALUE,
                "null",
                REASON,
                "PAYLOAD_MISSING");
        Schema defaulted = SchemaBuilder.string().optional().defaultValue("{}").build();
        differ(
                "Payload NULL in a column with a default",
                "route.tombstone.on.empty.payload=true",
                row().with("payload", defaulted, null),
                VALUE,
                "{}",
                VALUE,
                "null");
        differ(
                "Payload of no bytes, `route.tombstone.on.empty.payload` true",
                "route.tombstone.on.empty.payload=true",
                row().with("payload", Schema.BYTES_SCHEMA, new byte[0]),
                record -> record.value() == null,
                false,
                record -> record.value() == null,
                true);
        differ(
                "Larger than `max.record.bytes`",
                "max.record.bytes=500",
                row().with("payload", "x".repeat(500)),
                TOPIC,
                "outbox.event.Order",
                REASON,
                "RECORD_TOO_LARGE");
        differ(
                "`timestamptz`, or a mode of `time.precision.mode` other than the default, as time column",
                "table.field.event.timestamp=at",
                row().with("at", ZonedTimestamp.schema(), "2024-01-02T01:04:05.123456Z"),
                TOPIC,
                STOPS,
                SourceRecord::timestamp,
                1_704_157_445_123L);
        differ(
                "Time that is negative, infinite, not readable or more than an hour ahead",
                "table.field.event.timestamp=at",
                row().with("at", MicroTimestamp.schema(), -5_000_000L),
                SourceRecord::timestamp,
                -5_000L,
                SourceRecord::timestamp,
                OutboxRow.CAPTURED_AT);
        differ(
                "Time in microseconds, less than a millisecond before 1970",
                "table.field.event.timestamp=at",
                row().with("at", MicroTimestamp.schema(), -1L),
                SourceRecord::timestamp,
                0L,
                SourceRecord::timestamp,
                OutboxRow.CAPTURED_AT);
        differ(
                "Partition negative",
                "table.fields.additional.placement=shard:partition",
                row().with("shard", Schema.INT32_SCHEMA, -1),
                SourceRecord::kafkaPartition,
                -1,
                REASON,
                "PARTITION_INVALID");
        differ(
                "Partition column of `smallint` or `bigint`",
                "table.fields.additional.placement=shard:partition",
                row().with("shard", Schema.INT64_SCHEMA, 3L),
                TOPIC,
                STOPS,
                SourceRecord::kafkaPartition,
                3);
        differ(
                "The row of an UPDATE that changes the primary key",
                "",
                row().header("__debezium.oldkey"),
                TOPIC,
                "outbox.event.Order",
                TOPIC,
                DROPPED);
        return cases.stream();
    }

    @TestFactory
    Stream<DynamicTest> documents() {
        differ(
                "Array or scalar at the top",
                EXPAND,
                document("[1, 2]"),
                VALUE,
                "[1, 2]",
                record -> record.valueSchema().type(),
                Schema.Type.ARRAY);
        differ(
                "Number beyond 64 bits, or with digits that a double loses (`1.10`)",
                EXPAND,
                document("{\"a\": 1.10}"),
                record -> ((Struct) record.value()).get("a"),
                1.1,
                record -> ((Struct) record.value()).get("a"),
                new BigDecimal("1.10"));
        differ(
                "Array of different number types",
                EXPAND,
                document("{\"a\": [1, 2.5]}"),
                VALUE,
                "{\"a\": [1, 2.5]}",
                VALUE,
                "Struct{a=[1.0, 2.5]}");
        differ(
                "Array of different types",
                EXPAND,
                document("{\"a\": [1, \"x\"]}"),
                VALUE,
                "{\"a\": [1, \"x\"]}",
                REASON,
                "NOT_EXPRESSIBLE");
        differ(
                "Objects of an array with different members",
                EXPAND,
                document("{\"l\": [{\"a\": 1}, {\"b\": 2}]}"),
                record -> ((Struct) record.value())
                        .schema()
                        .field("l")
                        .schema()
                        .valueSchema()
                        .fields()
                        .size(),
                2,
                REASON,
                "NOT_EXPRESSIBLE");
        differ(
                "Null members, empty arrays",
                EXPAND,
                document("{\"n\": null, \"e\": []}"),
                record -> record.valueSchema().fields().size(),
                0,
                record -> record.valueSchema().fields().size(),
                2);
        differ(
                "Member without a name, or named twice",
                EXPAND,
                document("{\"a\": 1, \"a\": 2}"),
                VALUE,
                "Struct{a=2}",
                REASON,
                "NOT_EXPRESSIBLE");
        differ(
                "Text behind the document",
                EXPAND,
                document("{\"a\": 1} and more"),
                VALUE,
                "Struct{a=1}",
                REASON,
                "NOT_EXPRESSIBLE");
        differ("Text that is no JSON, or blank", EXPAND, document("no"), VALUE, "no", REASON, "NOT_EXPRESSIBLE");
        String deep = "{\"a\":".repeat(600) + "1" + "}".repeat(600);
        differ(
                "Nested deeper than 500",
                EXPAND,
                document(deep),
                record -> record.value() instanceof Struct,
                true,
                REASON,
                "NOT_EXPRESSIBLE");
        differ(
                "`field.name.adjustment.mode` with a name that is changed",
                EXPAND + ";field.name.adjustment.mode=avro",
                document("{\"a-b\": 1}"),
                VALUE,
                "Struct{}",
                VALUE,
                "Struct{a_b=1}");
        return cases.stream();
    }

    @TestFactory
    Stream<DynamicTest> envelopes() {
        String envelope = "table.fields.additional.placement=type:envelope";
        Look name = record -> record.valueSchema().name();
        after(
                "Envelopes of several aggregate types",
                envelope,
                row(),
                row().with("aggregatetype", "User"),
                name,
                "pg.public.outbox.Order.Value",
                name,
                "pg.public.outbox.User.Value");
        after(
                "Column of an envelope added or retyped later",
                envelope,
                row(),
                row().with("type", Schema.INT32_SCHEMA, 7),
                TOPIC,
                STOPS,
                record -> ((Struct) record.value()).get("type"),
                7);
        OutboxRow versioned = row().with("version", Schema.INT32_SCHEMA, 1);
        after(
                "One schema version with several payload shapes",
                envelope + ";" + EXPAND + ";table.field.event.schema.version=version",
                versioned,
                row().with("version", Schema.INT32_SCHEMA, 1).with("payload", "{\"b\": \"x\"}"),
                TOPIC,
                STOPS,
                TOPIC,
                "outbox.event.Order");
        differ(
                "Schema version of `smallint`",
                envelope + ";table.field.event.schema.version=version",
                row().with("version", Schema.INT16_SCHEMA, (short) 2),
                TOPIC,
                STOPS,
                record -> record.valueSchema().version(),
                2);
        return cases.stream();
    }

    @TestFactory
    Stream<DynamicTest> otherRecords() {
        differ("TRUNCATE of the outbox", "", row().operation("t"), TOPIC, STOPS, TOPIC, DROPPED);
        differ(
                "Changes of other tables, `table.include.list` set",
                "table.include.list=public.outbox",
                row().table("customer").without("aggregateid"),
                TOPIC,
                STOPS,
                TOPIC,
                "pg.public.customer");
        Look ids = record -> RouterUnderTest.headerNames(record).stream()
                .filter("id"::equals)
                .count();
        OutboxRow again = row();
        after(
                "A record that Connect applies the transform to again after a failed send",
                "",
                again,
                again,
                ids,
                2L,
                ids,
                1L);
        differ("Existing header of the name of one of ours", "", row().header("id"), ids, 2L, ids, 1L);
        return cases.stream();
    }

    @Test
    void theCasesAreTheRowsOfThePage() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "reference", "differences-from-debezium.md"));
        String tables = page.substring(page.indexOf("## Rows"), page.indexOf("## Options"));
        rows();
        documents();
        envelopes();
        otherRecords();

        assertThat(tables.lines()
                        .filter(line -> line.startsWith("| "))
                        .map(line -> line.substring(2, line.indexOf(" |", 2)))
                        .filter(cell -> !HEADS.contains(cell)))
                .containsExactlyInAnyOrderElementsOf(names);
    }

    private void differ(String name, String options, OutboxRow row, Look stock, Object stocks, Look our, Object ours) {
        names.add(name);
        cases.add(DynamicTest.dynamicTest(name, () -> {
            assertThat(look(new EventRouter<>(), options, stock, row))
                    .as("Debezium's")
                    .isEqualTo(stocks);
            assertThat(look(new OutboxRouter<>(), options, our, row)).as("ours").isEqualTo(ours);
        }));
    }

    /** The second row is looked at: the first has left something behind. The same row twice is the same record. */
    private void after(
            String name,
            String options,
            OutboxRow first,
            OutboxRow row,
            Look stock,
            Object stocks,
            Look our,
            Object ours) {
        names.add(name);
        cases.add(DynamicTest.dynamicTest(name, () -> {
            assertThat(look(new EventRouter<>(), options, stock, first, row))
                    .as("Debezium's")
                    .isEqualTo(stocks);
            assertThat(look(new OutboxRouter<>(), options, our, first, row))
                    .as("ours")
                    .isEqualTo(ours);
        }));
    }

    private static Object look(EventRouter<SourceRecord> router, String options, Look look, OutboxRow... rows) {
        Map<String, String> map = new HashMap<>();
        for (String option : options.split(";", -1)) {
            if (!option.isEmpty()) {
                map.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
            }
        }
        router.configure(map);
        Supplier<Object> seen = () -> DROPPED;
        Map<OutboxRow, SourceRecord> given = new HashMap<>();
        for (OutboxRow row : rows) {
            try {
                SourceRecord record = router.apply(given.computeIfAbsent(row, OutboxRow::record));
                seen = record == null ? () -> DROPPED : () -> look.at(record);
            } catch (RuntimeException e) {
                seen = () -> STOPS;
            }
        }
        router.close();
        return seen.get();
    }
}
