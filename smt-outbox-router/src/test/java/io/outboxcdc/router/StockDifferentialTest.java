package io.outboxcdc.router;

import io.debezium.data.Json;
import io.debezium.data.Uuid;
import io.debezium.time.MicroTimestamp;
import io.debezium.time.NanoTimestamp;
import io.debezium.time.Timestamp;
import io.debezium.transforms.outbox.EventRouter;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The stock router as the oracle: rows that it treats rightly must give the same record with only the class changed, and
 * rows that it drops must be dropped. Rows that it loses, bends or dies on are not made here.
 */
class StockDifferentialTest {

    @Property(tries = 1_000)
    void theStockRoutersRecordsAreOurs(@ForAll("options") Map<String, String> options, @ForAll("rows") OutboxRow row) {
        assertThat(route(new OutboxRouter<>(), options, row)).isEqualTo(route(new EventRouter<>(), options, row));
    }

    /** All of a record that reaches Kafka or the offsets. */
    private record Seen(
            String topic,
            @Nullable Integer partition,
            @Nullable Schema keySchema,
            @Nullable Object key,
            @Nullable Schema valueSchema,
            @Nullable Object value,
            @Nullable Long timestamp,
            List<Header> headers,
            Map<String, ?> offset) {}

    private static List<Seen> route(EventRouter<SourceRecord> router, Map<String, String> options, OutboxRow row) {
        router.configure(options);
        SourceRecord routed = router.apply(row.record());
        router.close();
        if (routed == null) {
            return List.of();
        }
        return List.of(new Seen(
                routed.topic(),
                routed.kafkaPartition(),
                routed.keySchema(),
                routed.key(),
                routed.valueSchema(),
                routed.value(),
                routed.timestamp(),
                RouterUnderTest.headers(routed),
                routed.sourceOffset()));
    }

    /** Any of each kind of option together with any of the others. */
    @Provide
    Arbitrary<Map<String, String>> options() {
        Arbitrary<Map<String, String>> routes = Arbitraries.of(
                Map.of(),
                Map.of("route.topic.replacement", "events.${routedByValue}.v1"),
                Map.of("route.topic.regex", "(.*?)(Event)?", "route.topic.replacement", "$1"),
                Map.of("route.by.field", "type"));
        Arbitrary<Map<String, String>> columns = Arbitraries.of(
                Map.of(),
                Map.of("table.field.event.key", "id"),
                Map.of("table.field.event.id", "type", "table.field.event.payload", "aggregatetype"),
                Map.of("table.field.event.type", "type", "tracing.span.context.field", "none"));
        Arbitrary<Map<String, String>> tombstones =
                Arbitraries.of(Map.of(), Map.of("route.tombstone.on.empty.payload", "true"));
        Arbitrary<Map<String, String>> times = Arbitraries.of(Map.of(), Map.of("table.field.event.timestamp", "at"));
        Arbitrary<Map<String, String>> placements = Arbitraries.of(
                Map.of(),
                Map.of("table.fields.additional.placement", "type:header:eventType,shard:partition,at:header"),
                Map.of(
                        "table.fields.additional.placement",
                        "gone:header, type:header",
                        "table.field.additional.missing",
                        "ignore"),
                Map.of("table.op.invalid.behavior", "error", "table.field.event.schema.version", "shard"));
        return Combinators.combine(routes, columns, tombstones, times, placements)
                .as((route, column, tombstone, time, placement) -> {
                    Map<String, String> all = new HashMap<>();
                    Stream.of(route, column, tombstone, time, placement).forEach(all::putAll);
                    return all;
                });
    }

    @Provide
    Arbitrary<OutboxRow> rows() {
        Arbitrary<String> names = Arbitraries.strings()
                .withChars("abzAZ09._-")
                .ofMinLength(1)
                .ofMaxLength(20)
                .map(name -> "t" + name);
        Arbitrary<SchemaAndValue> keys = Arbitraries.oneOf(
                Arbitraries.strings()
                        .ofMinLength(1)
                        .ofMaxLength(20)
                        .filter(text -> !text.isBlank())
                        .map(text -> new SchemaAndValue(Schema.STRING_SCHEMA, text)),
                Arbitraries.longs().map(number -> new SchemaAndValue(Schema.INT64_SCHEMA, number)));
        Arbitrary<SchemaAndValue> payloads = Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(50).map(text -> new SchemaAndValue(Json.schema(), text)),
                Arbitraries.of("", " ", "{}", "null", "[1, 2]")
                        .map(text -> new SchemaAndValue(Schema.OPTIONAL_STRING_SCHEMA, text)),
                Arbitraries.bytes()
                        .array(byte[].class)
                        .ofMinSize(1)
                        .ofMaxSize(20)
                        .map(bytes -> new SchemaAndValue(Schema.BYTES_SCHEMA, ByteBuffer.wrap(bytes))));
        Arbitrary<SchemaAndValue> times = Arbitraries.longs()
                .between(0, OutboxRow.CAPTURED_AT)
                .flatMap(millis -> Arbitraries.of(
                        new SchemaAndValue(Timestamp.schema(), millis),
                        new SchemaAndValue(MicroTimestamp.schema(), millis * 1_000 + 999),
                        new SchemaAndValue(NanoTimestamp.schema(), millis * 1_000_000 + 999_999),
                        new SchemaAndValue(Timestamp.builder().optional().build(), null)));
        Arbitrary<String> operations =
                Arbitraries.frequencyOf(Tuple.of(8, Arbitraries.just("c")), Tuple.of(2, Arbitraries.of("r", "u", "d")));
        return Combinators.combine(
                        names,
                        names,
                        keys,
                        payloads,
                        times,
                        operations,
                        Arbitraries.integers().between(0, 99))
                .as((aggregateType, type, key, payload, time, operation, shard) -> OutboxRow.aStockRow()
                        .with("id", Uuid.schema(), new UUID(1, shard).toString())
                        .with("aggregatetype", Schema.STRING_SCHEMA, aggregateType)
                        .with("aggregateid", key.schema(), key.value())
                        .with("type", Schema.STRING_SCHEMA, type)
                        .with("payload", payload.schema(), payload.value())
                        .with("at", time.schema(), time.value())
                        .with("shard", Schema.INT32_SCHEMA, shard)
                        .operation(operation)
                        .header("__debezium.context.taskId"));
    }
}
