package io.outboxcdc.router;

import com.fasterxml.jackson.databind.JsonNode;
import io.debezium.data.Json;
import io.debezium.data.Uuid;
import io.debezium.time.MicroTimestamp;
import io.debezium.time.ZonedTimestamp;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.StringConverter;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds for each row of an outbox, good or bad, under all options that a user may combine. Rows are far worse than
 * any table would let in. What would break: the promise that one row is one event or one dead letter, and never trouble.
 */
class AnyRowPropertyTest {

    private static final String DEAD_LETTERS = "outbox.dead-letter";
    private static final OutboxConverter CONVERTER = converter();
    private static final JsonConverter WITH_SCHEMAS = new JsonConverter();

    static {
        WITH_SCHEMAS.configure(Map.of("schemas.enable", true), false);
    }

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void oneRowIsExactlyOneEventOrOneDeadLetterThatEveryBrokerTakes(
            @ForAll("options") Map<String, String> options, @ForAll("rows") OutboxRow row) {
        SourceRecord routed = route(options, row.record());

        Topic.validate(routed.topic());
        assertThat(routed.timestamp())
                .satisfiesAnyOf(
                        time -> assertThat(time).isNull(),
                        time -> assertThat(time).isBetween(0L, OutboxRow.CAPTURED_AT + RecordTime.MAX_AHEAD_MILLIS));
        assertThat(routed.kafkaPartition())
                .satisfiesAnyOf(
                        number -> assertThat(number).isNull(),
                        number -> assertThat(number).isNotNegative());
        boolean dead = routed.topic().equals(DEAD_LETTERS);
        assertThat(RouterUnderTest.header(routed, HeaderNames.ERROR_REASON) != null)
                .isEqualTo(dead);
        assertThat(RouterUnderTest.header(routed, HeaderNames.ERROR_REASON))
                .isNotEqualTo(DeadLetterReason.UNEXPECTED_ERROR.name());
        Statistics.label("outcome")
                .collect(dead ? RouterUnderTest.header(routed, HeaderNames.ERROR_REASON) : "an event");
    }

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void keyAndIdOfAnEventAreTheColumnsAndEachHeaderIsThereOnce(
            @ForAll("options") Map<String, String> options, @ForAll("rows") OutboxRow row) {
        SourceRecord routed = route(options, row.record());
        Struct columns = (Struct) ((Struct) row.record().value()).get("after");

        List<String> names = RouterUnderTest.headerNames(routed);
        assertThat(names).doesNotHaveDuplicates();
        if (!routed.topic().equals(DEAD_LETTERS)) {
            assertThat(bytes(routed.topic(), routed.keySchema(), routed.key()))
                    .isEqualTo(String.valueOf(columns.get("aggregateid")).getBytes(UTF_8));
            assertThat(RouterUnderTest.header(routed, "id")).isEqualTo(columns.get("id"));
            assertThat(CONVERTER.fromConnectData("t", routed.keySchema(), routed.key()))
                    .isNotEmpty();
        }
    }

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void theRecordThatCameInIsNeverChangedAndASecondTimeGivesTheSame(
            @ForAll("options") Map<String, String> options, @ForAll("rows") OutboxRow row) {
        OutboxRouter<SourceRecord> router = RouterUnderTest.with(options).router;
        SourceRecord record = row.record();
        SourceRecord untouched = row.record();

        SourceRecord first = Objects.requireNonNull(router.apply(record));
        SourceRecord second = Objects.requireNonNull(router.apply(record));

        assertThat(record).isEqualTo(untouched);
        assertThat(RouterUnderTest.headers(record)).isEqualTo(RouterUnderTest.headers(untouched));
        assertThat(second).isEqualTo(first);
        assertThat(RouterUnderTest.headers(second)).isEqualTo(RouterUnderTest.headers(first));
        assertThat(first.sourceOffset()).isEqualTo(record.sourceOffset());
        assertThat(first.sourcePartition()).isEqualTo(record.sourcePartition());
    }

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void noRecordIsLargerThanIsAllowedAndADeadLetterCanBeReadBack(
            @ForAll("options") Map<String, String> options, @ForAll("rows") OutboxRow row) {
        Map<String, String> limited = new HashMap<>(options);
        limited.put("max.record.bytes", "4000");

        SourceRecord routed = route(limited, row.record());

        if (routed.topic().equals(DEAD_LETTERS)) {
            JsonNode json = RouterUnderTest.json(routed);
            assertThat(json.isObject()).isTrue();
            assertThat(json.has("payload")).isTrue();
        }
        if (routed.valueSchema() == null || routed.valueSchema().type() != Schema.Type.STRUCT) {
            assertThat(size(routed)).isLessThanOrEqualTo(4_000);
        }
        assertThat(WITH_SCHEMAS.fromConnectData(routed.topic(), routed.keySchema(), routed.key()))
                .satisfiesAnyOf(
                        bytes -> assertThat(bytes).isNull(),
                        bytes -> assertThat(bytes).isNotEmpty());
        WITH_SCHEMAS.fromConnectData(routed.topic(), routed.valueSchema(), routed.value());
    }

    /** As the producer counts it, for text and bytes. */
    private static long size(SourceRecord record) {
        long size = length(bytes(record.topic(), record.keySchema(), record.key()))
                + length(bytes(record.topic(), record.valueSchema(), record.value()));
        try (StringConverter plain = new StringConverter()) {
            for (Header header : record.headers()) {
                size += header.key().getBytes(UTF_8).length
                        + length(plain.fromConnectHeader("t", header.key(), header.schema(), header.value()));
            }
        }
        return size;
    }

    private static long length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static byte @Nullable [] bytes(String topic, @Nullable Schema schema, @Nullable Object value) {
        return CONVERTER.fromConnectData(topic, schema, value);
    }

    private static OutboxConverter converter() {
        OutboxConverter converter = new OutboxConverter();
        converter.configure(Map.of(), false);
        return converter;
    }

    private static SourceRecord route(Map<String, String> options, SourceRecord record) {
        return Objects.requireNonNull(RouterUnderTest.with(options).router.apply(record));
    }

    /** Any combination of these; no two of them contradict each other. */
    @Provide
    Arbitrary<Map<String, String>> options() {
        List<Map<String, String>> switches = List.of(
                Map.of("table.field.event.headers", "headers"),
                Map.of("event.type.header", "eventType"),
                Map.of("table.field.event.timestamp", "at"),
                Map.of("route.tombstone.on.empty.payload", "true"),
                Map.of("table.expand.json.payload", "true"),
                Map.of("table.json.payload.null.behavior", "ignore"),
                Map.of("table.json.payload.empty.array.behavior", "optional_string"),
                Map.of("field.name.adjustment.mode", "avro"),
                Map.of("cloudevents.headers", "true", "cloudevents.source", "/shop"),
                Map.of("route.topic.replacement", "${routedByValue}"),
                Map.of("route.topic.allow.list", "Order, a.b, Invoice-1"),
                Map.of("table.include.list", "public\\.outbox"),
                Map.of("table.fields.additional.placement", "shard:partition,at:header:when,type:envelope"));
        return Arbitraries.of(new HashSet<>(switches))
                .set()
                .ofMaxSize(switches.size())
                .map(chosen -> {
                    Map<String, String> options = new HashMap<>();
                    chosen.forEach(options::putAll);
                    return options;
                });
    }

    @Provide
    Arbitrary<OutboxRow> rows() {
        Arbitrary<@Nullable String> types = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.of("Order", "a.b", "a_b", "Invoice-1")),
                Tuple.of(1, Arbitraries.of("", " ", ".", "..", "outbox.dead-letter", "x\ny", "a/b", "Ä")),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(300).injectNull(0.1)));
        Arbitrary<SchemaAndValue> ids = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.longs().map(low -> column(Uuid.schema(), new UUID(1, low).toString()))),
                Tuple.of(1, Arbitraries.longs().map(number -> column(Schema.INT64_SCHEMA, number))),
                Tuple.of(1, texts().map(text -> column(Schema.OPTIONAL_STRING_SCHEMA, text))));
        Arbitrary<SchemaAndValue> keys = Arbitraries.frequencyOf(
                Tuple.of(8, texts().map(text -> column(Schema.OPTIONAL_STRING_SCHEMA, text))),
                Tuple.of(1, Arbitraries.longs().map(number -> column(Schema.INT64_SCHEMA, number))));
        Arbitrary<SchemaAndValue> times = Arbitraries.oneOf(
                Arbitraries.longs().map(micros -> column(MicroTimestamp.schema(), micros)),
                Arbitraries.of(
                                "2024-01-02T01:04:05.123456Z",
                                "infinity",
                                "-infinity",
                                "soon",
                                "+292278994-01-01T00:00:00Z")
                        .map(text -> column(ZonedTimestamp.schema(), text)),
                Arbitraries.just(column(ZonedTimestamp.builder().optional().build(), null)));
        Arbitrary<SchemaAndValue> headers = Arbitraries.frequencyOf(
                        Tuple.of(6, headerObjects()),
                        Tuple.of(1, Arbitraries.of("null", "[1]", "{", "", "1", "{} {}", "{\"a\":1,\"a\":2}")),
                        Tuple.of(1, texts()))
                .map(text -> column(Json.builder().optional().build(), text));
        return Combinators.combine(
                        types,
                        ids,
                        keys,
                        payloads(),
                        headers,
                        times,
                        Arbitraries.integers().between(-1, 9),
                        Arbitraries.of("OrderPlaced", "", "typ €").injectNull(0.2))
                .as((type, id, key, payload, header, time, shard, eventType) -> OutboxRow.aStockRow()
                        .with("id", id.schema(), id.value())
                        .with("aggregatetype", Schema.OPTIONAL_STRING_SCHEMA, type)
                        .with("aggregateid", key.schema(), key.value())
                        .with("type", Schema.OPTIONAL_STRING_SCHEMA, eventType)
                        .with("payload", payload.schema(), payload.value())
                        .with("headers", header.schema(), header.value())
                        .with("at", time.schema(), time.value())
                        .with("shard", Schema.INT32_SCHEMA, shard)
                        .header("before")
                        .header("id"));
    }

    private static SchemaAndValue column(Schema schema, @Nullable Object value) {
        return new SchemaAndValue(schema, value);
    }

    private static Arbitrary<@Nullable String> texts() {
        return Arbitraries.frequencyOf(
                        Tuple.of(
                                5,
                                Arbitraries.strings()
                                        .alpha()
                                        .numeric()
                                        .ofMinLength(1)
                                        .ofMaxLength(20)),
                        Tuple.of(
                                2,
                                Arbitraries.of(
                                        "", " ", "größe €", "\u0000", "😀", "x".repeat(6_000), "€".repeat(2_000))),
                        Tuple.of(1, Arbitraries.strings().ofMaxLength(30)))
                .injectNull(0.03);
    }

    private static Arbitrary<String> headerObjects() {
        Arbitrary<String> names = Arbitraries.of(
                "tenant",
                "id",
                "ID",
                "eventType",
                "when",
                "outbox.x",
                "ce_id",
                "content-type",
                "datacontenttype",
                "dataschema",
                "traceparent",
                "TraceState",
                "baggage",
                "before",
                "ü",
                "",
                "__debezium.x");
        Arbitrary<String> values = Arbitraries.of(
                "\"acme\"",
                "1.10",
                "null",
                "true",
                "[1, {\"a\": 2}]",
                "\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"",
                "\"a=1,b=2\"",
                "\"application/json\"",
                "\"\\u0000\\n\"",
                "\"" + "h".repeat(5_000) + "\"");
        return Combinators.combine(names, values)
                .as((name, value) -> "\"" + name + "\": " + value)
                .list()
                .ofMaxSize(6)
                .map(members -> "{" + String.join(", ", members) + "}");
    }

    private static Arbitrary<SchemaAndValue> payloads() {
        Arbitrary<SchemaAndValue> json = Arbitraries.of(
                        "{\"a\": 1}",
                        "{\"a\": 1.10, \"b\": [1, 2.5], \"c\": null, \"d\": []}",
                        "[{\"a\": 1}, {\"b\": \"x\"}]",
                        "[1, \"x\"]",
                        "{\"a-b\": {\"c.d\": [[], [1]]}, \"\": 1}",
                        "12345678901234567890.123",
                        "null",
                        "\"text\"",
                        "{\"a\": \"" + "p".repeat(5_000) + "\"}",
                        "[".repeat(600) + "]".repeat(600))
                .injectNull(0.05)
                .map(text -> column(Json.builder().optional().build(), text));
        Arbitrary<SchemaAndValue> text = texts().map(value -> column(Schema.OPTIONAL_STRING_SCHEMA, value));
        Arbitrary<SchemaAndValue> bytes = Arbitraries.bytes()
                .array(byte[].class)
                .ofMaxSize(20)
                .map(value -> column(Schema.BYTES_SCHEMA, ByteBuffer.wrap(value)));
        return Arbitraries.frequencyOf(Tuple.of(5, json), Tuple.of(2, text), Tuple.of(1, bytes));
    }
}
