package io.outboxcdc.router;

import io.debezium.transforms.tracing.ActivateTracingSpan;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.apache.kafka.connect.storage.StringConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;

/** From the headers column to record headers. */
class RowHeadersTest {

    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final RouterUnderTest router = RouterUnderTest.asShipped();

    private Map<String, Object> headersOf(String column) {
        Map<String, Object> headers = new LinkedHashMap<>();
        for (Header header : router.route(aRow().with("headers", column)).headers()) {
            headers.put(header.key(), header.value());
        }
        headers.remove("eventType");
        headers.remove("id");
        return headers;
    }

    @Test
    void eachMemberBecomesAHeaderWithItsExactText() {
        assertThat(headersOf("{\"tenant\":\"acme\",\"n\":42,\"d\":0.10,\"e\":4.2E1,\"b\":true,\"none\":null,"
                        + "\"o\":{\"k\": [1, 2.50 ]},\"ü\":\"é\",\"empty\":\"\",\"esc\":\"a\\\"b\\n\"}"))
                .containsExactly(
                        Map.entry("tenant", "acme"),
                        Map.entry("n", "42"),
                        Map.entry("d", "0.10"),
                        Map.entry("e", "4.2E1"),
                        Map.entry("b", "true"),
                        Map.entry("o", "{\"k\":[1,2.50]}"),
                        Map.entry("ü", "é"),
                        Map.entry("empty", ""),
                        Map.entry("esc", "a\"b\n"));
    }

    @Test
    void nestedTextKeepsItsBlanksAndEscapes() {
        assertThat(headersOf("{\"o\": [ \"a b\\\" [\\\\\" , {\"x\" : \"\\u0000\"} ], \"after\": 1}"))
                .containsExactly(Map.entry("o", "[\"a b\\\" [\\\\\",{\"x\":\"\\u0000\"}]"), Map.entry("after", "1"));
    }

    /** "Aa" and "BB" have one hash code, and so has every word made of the two. */
    @Test
    void namesThatHashAlikeAreHeadersAndLeaveNoTrace() {
        String alike = IntStream.range(0, 1_024)
                .mapToObj(word -> IntStream.range(0, 10)
                        .mapToObj(bit -> (word >> bit & 1) == 1 ? "Aa" : "BB")
                        .collect(Collectors.joining()))
                .map(name -> "\"" + name + "\":\"v\"")
                .collect(Collectors.joining(",", "{", "}"));

        assertThat(headersOf(alike)).hasSize(1_024);
        assertThat(headersOf(manyNames(3_000))).hasSize(3_000);
    }

    /** Work that grows with the square of the number would keep this test, and the pipeline, for minutes. */
    @Test
    void aRowWithVeryManyHeadersIsRouted() {
        assertThat(headersOf(manyNames(60_000))).hasSize(60_000);
    }

    /** Each costs the lengths of its name and value too, which the producer counts. */
    @Test
    void manySmallHeadersCountWithTheirLengths() {
        router.refuse(
                aRow().with("headers", manyNames(27_000)).with("payload", "x".repeat(700_000)),
                DeadLetterReason.RECORD_TOO_LARGE);
    }

    private static String manyNames(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> "\"h" + number + "\":\"\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Test
    void numbersOfAnyLengthKeepEveryDigit() {
        String number = "1234567890".repeat(500) + ".1";

        assertThat(headersOf("{\"n\":" + number + "}")).containsExactly(Map.entry("n", number));
    }

    @Test
    void longAndDeepDocumentsAreReadWhole() {
        String deep = "[".repeat(3_000) + "]".repeat(3_000);
        String longText = "é".repeat(100_000);

        assertThat(headersOf("{\"t\":\"" + longText + "\",\"d\":" + deep + ",\"n\":1}"))
                .containsExactly(Map.entry("t", longText), Map.entry("d", deep), Map.entry("n", "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", " {\"a\": null} "})
    void nullAndEmptyMakeNoHeaders(String column) {
        assertThat(headersOf(column)).isEmpty();
    }

    @Test
    void ofTwoMembersWithOneNameTheLastCounts() {
        assertThat(headersOf("{\"a\":1,\"b\":2,\"a\":3}")).containsOnly(Map.entry("a", "3"), Map.entry("b", "2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "1", "\"text\"", "true"})
    void aDocumentThatIsNoObjectIsADeadLetter(String column) {
        SourceRecord letter = router.refuse(aRow().with("headers", column), DeadLetterReason.HEADERS_NOT_OBJECT);

        assertThat(RouterUnderTest.header(letter, HeaderNames.ERROR_COLUMN)).isEqualTo("headers");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"a\"",
                "{\"a\":1",
                "{\"a\":-",
                "{\"a\":\"x",
                "{\"a\":}",
                "{} {}",
                "1 2",
                "nul",
                "{\"a\":NaN}",
                "{'a':1}"
            })
    void textThatIsNoJsonIsADeadLetterAndIsNotQuoted(String column) {
        SourceRecord letter = router.refuse(aRow().with("headers", column), DeadLetterReason.HEADERS_NOT_JSON);

        assertThat(RouterUnderTest.json(letter).get("headers").textValue()).isEqualTo(column);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"id", "ID", "eventType", "EVENTTYPE", "outbox.error.reason", "Outbox.x", "__debezium.x", ""})
    void reservedAndEmptyNamesAreDroppedAndCounted(String name) {
        assertThat(headersOf("{\"" + name + "\":\"row\",\"tenant\":\"acme\"}"))
                .containsExactly(Map.entry("tenant", "acme"));
        assertThat(router.counts.headerCollisions.sum()).isOne();
    }

    @Test
    void aPlacedColumnKeepsItsHeader() {
        RouterUnderTest placing =
                RouterUnderTest.asShipped("table.fields.additional.placement", "aggregate_id:header:aggregate");

        SourceRecord event = placing.route(aRow().with("headers", "{\"aggregate\":\"row\"}"));

        assertThat(RouterUnderTest.header(event, "aggregate")).isEqualTo("42");
        assertThat(placing.counts.headerCollisions.sum()).isOne();
    }

    @Test
    void aRowsHeaderTakesThePlaceOfOneOfTheSameName() {
        SourceRecord event =
                router.route(aRow().with("headers", "{\"tenant\":\"acme\"}").header("tenant"));

        assertThat(RouterUnderTest.headerNames(event)).containsOnlyOnce("tenant");
        assertThat(RouterUnderTest.header(event, "tenant")).isEqualTo("acme");
    }

    @Test
    void anHstoreThatComesAsAMapMakesHeadersToo() {
        Schema map = SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.OPTIONAL_STRING_SCHEMA)
                .optional()
                .build();
        Map<String, String> hstore = new LinkedHashMap<>();
        hstore.put("a", "1");
        hstore.put("b", null);

        SourceRecord event = router.route(aRow().with("headers", map, hstore));

        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id", "eventType", "a");
    }

    /** Texts stay plain under both plain header converters. */
    @Test
    void headersArePlainTextOnTheWire() throws IOException {
        SourceRecord event = router.route(aRow().with("headers", "{\"traceparent\":\"" + PARENT + "\"}"));

        try (StringConverter text = new StringConverter();
                SimpleHeaderConverter simple = new SimpleHeaderConverter()) {
            for (Header header : event.headers()) {
                byte[] expected = Objects.toString(header.value()).getBytes(StandardCharsets.UTF_8);
                assertThat(text.fromConnectHeader("t", header.key(), header.schema(), header.value()))
                        .isEqualTo(expected);
                assertThat(simple.fromConnectHeader("t", header.key(), header.schema(), header.value()))
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"traceparent", "Traceparent", "TRACEPARENT"})
    void theRowsTraceTakesThePlaceOfAnother(String name) {
        SourceRecord event = router.route(
                aRow().with("headers", "{\"" + name + "\":\"" + PARENT + "\"}").header("traceparent"));

        assertThat(RouterUnderTest.headerNames(event)).containsOnlyOnce("traceparent");
        assertThat(RouterUnderTest.header(event, "traceparent")).isEqualTo(PARENT);
    }

    /** As on a worker with OpenTelemetry beside the connector, where the stock router takes part in tracing. */
    @Test
    void theRowsTraceIsTheOnlyOneWhereOpenTelemetryIsThere() {
        assertThat(ActivateTracingSpan.isOpenTelemetryAvailable()).isTrue();
        RouterUnderTest tracing = RouterUnderTest.asShipped("tracing.with.context.field.only", "false");

        SourceRecord with = tracing.route(aRow().with("headers", "{\"traceparent\":\"" + PARENT + "\"}"));
        SourceRecord without = tracing.route(aRow());

        assertThat(RouterUnderTest.headerNames(with)).containsExactly("id", "eventType", "traceparent");
        assertThat(RouterUnderTest.header(with, "traceparent")).isEqualTo(PARENT);
        assertThat(RouterUnderTest.headerNames(without)).containsExactly("id", "eventType");
    }

    /** The event itself goes on. */
    @Test
    void aBadTraceIsLeftOutAndCounted() {
        assertThat(headersOf(
                        "{\"traceparent\":\"broken\",\"tracestate\":\"a=1\",\"baggage\":\"k=v\",\"tenant\":\"acme\"}"))
                .containsExactly(Map.entry("tenant", "acme"), Map.entry("baggage", "k=v"));
        assertThat(router.counts.invalidTraces.sum()).isOne();
    }

    @Test
    void theStockTracingColumnBecomesPlainHeaders() {
        SourceRecord event = RouterUnderTest.with()
                .route(aRow().with(
                                "tracingspancontext",
                                Schema.OPTIONAL_STRING_SCHEMA,
                                "#comment\ntraceparent=" + PARENT + "\ntracestate=a\\=1\nbaggage=k\\=v\nother=x\n"));

        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id", "traceparent", "tracestate", "baggage");
        assertThat(RouterUnderTest.header(event, "traceparent")).isEqualTo(PARENT);
        assertThat(RouterUnderTest.header(event, "tracestate")).isEqualTo("a=1");
        assertThat(RouterUnderTest.header(event, "baggage")).isEqualTo("k=v");
    }

    @Test
    void theHeadersColumnComesBeforeTheStockTracingColumn() {
        String other = PARENT.replace("4bf9", "ffff");
        OutboxRow row = aRow().with("headers", "{\"traceparent\":\"" + PARENT + "\"}")
                .with(
                        "tracingspancontext",
                        Schema.OPTIONAL_STRING_SCHEMA,
                        "traceparent=" + other + "\ntracestate=a=1\nbaggage=k=v");

        SourceRecord event = router.route(row);

        assertThat(RouterUnderTest.header(event, "traceparent")).isEqualTo(PARENT);
        assertThat(RouterUnderTest.header(event, "tracestate")).isNull();
        assertThat(RouterUnderTest.header(event, "baggage")).isEqualTo("k=v");
    }

    @Test
    void aTracingColumnThatIsNoTextIsNone() {
        SourceRecord event = router.route(aRow().with("tracingspancontext", Schema.OPTIONAL_INT64_SCHEMA, 1L));

        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id", "eventType");
    }

    @Test
    void aTracingColumnThatCannotBeReadIsCounted() {
        SourceRecord event =
                router.route(aRow().with("tracingspancontext", Schema.OPTIONAL_STRING_SCHEMA, "traceparent=\\u00zz"));

        assertThat(event.topic()).isEqualTo("outbox.event.Order");
        assertThat(router.counts.invalidTraces.sum()).isOne();
    }
}
