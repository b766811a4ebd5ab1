package io.outboxcdc.router;

import io.debezium.data.Json;
import io.debezium.transforms.outbox.EventRouter;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;

import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The stock router as the oracle for expanded payloads and envelopes, over documents that it does not bend: objects at
 * the top, arrays of one type and, where it holds objects, of one shape, decimals that a double writes out again.
 */
class StructuredValueDifferentialTest {

    private static final String NULLS = "table.json.payload.null.behavior";
    private static final String EMPTY_ARRAYS = "table.json.payload.empty.array.behavior";

    @Property(tries = 1_000)
    void theStockRoutersValuesAreOurs(
            @ForAll("options") Map<String, String> options, @ForAll("documents") String document) {
        OutboxRow row =
                OutboxRow.aStockRow().with("payload", Json.schema(), document).with("version", Schema.INT32_SCHEMA, 3);

        SourceRecord ours = route(new OutboxRouter<>(), options, row);
        SourceRecord stocks = route(new EventRouter<>(), options, row);

        assertThat(ours.topic()).isEqualTo(stocks.topic());
        assertThat(ours.valueSchema()).isEqualTo(stocks.valueSchema());
        assertThat(ours.value()).isEqualTo(stocks.value());
    }

    private static SourceRecord route(EventRouter<SourceRecord> router, Map<String, String> options, OutboxRow row) {
        router.configure(options);
        SourceRecord routed = router.apply(row.record());
        router.close();
        return routed;
    }

    /** Nulls and empty arrays are documents' everyday content, so the stock router's options for them are always set. */
    @Provide
    Arbitrary<Map<String, String>> options() {
        return Arbitraries.of(
                Map.of("table.expand.json.payload", "true", NULLS, "ignore", EMPTY_ARRAYS, "ignore"),
                Map.of("table.expand.json.payload", "true", NULLS, "optional_bytes", EMPTY_ARRAYS, "optional_string"),
                Map.of(
                        "table.expand.json.payload",
                        "true",
                        NULLS,
                        "optional_bytes",
                        EMPTY_ARRAYS,
                        "ignore",
                        "table.fields.additional.placement",
                        "type:envelope:eventType,version:header"),
                Map.of("table.fields.additional.placement", "type:envelope,aggregateid:envelope:key"),
                Map.of(
                        "table.expand.json.payload",
                        "true",
                        NULLS,
                        "ignore",
                        EMPTY_ARRAYS,
                        "optional_string",
                        "table.fields.additional.placement",
                        "type:envelope",
                        "table.field.event.schema.version",
                        "version"));
    }

    @Provide
    Arbitrary<String> documents() {
        return objects(3);
    }

    private static Arbitrary<String> objects(int depth) {
        return Arbitraries.maps(Arbitraries.of("a", "b", "c", "some_name", "größe"), values(depth - 1))
                .ofMaxSize(4)
                .map(members -> members.entrySet().stream()
                        .map(member -> "\"" + member.getKey() + "\": " + member.getValue())
                        .collect(Collectors.joining(", ", "{", "}")));
    }

    private static Arbitrary<String> values(int depth) {
        Arbitrary<String> scalars =
                Arbitraries.oneOf(texts(), ints(), longs(), doubles(), Arbitraries.of("true", "null"));
        if (depth == 0) {
            return scalars;
        }
        Arbitrary<String> oneObject = objects(depth);
        return Arbitraries.frequencyOf(
                Tuple.of(4, scalars),
                Tuple.of(2, oneObject),
                Tuple.of(2, Arbitraries.oneOf(arrays(texts()), arrays(ints()), arrays(longs()), arrays(doubles()))),
                Tuple.of(
                        1,
                        Combinators.combine(oneObject, Arbitraries.integers().between(1, 3))
                                .as((object, times) ->
                                        "[" + String.join(", ", Collections.nCopies(times, object)) + "]")));
    }

    private static Arbitrary<String> arrays(Arbitrary<String> elements) {
        return elements.list().ofMaxSize(3).map(list -> list.stream().collect(Collectors.joining(", ", "[", "]")));
    }

    private static Arbitrary<String> texts() {
        return Arbitraries.of("\"\"", "\"x\"", "\"ü 😀\"", "\"\\\\u0000\"", "\"{}\"");
    }

    private static Arbitrary<String> ints() {
        return Arbitraries.integers().map(String::valueOf);
    }

    private static Arbitrary<String> longs() {
        return Arbitraries.longs()
                .filter(number -> number != (int) number.longValue())
                .map(String::valueOf);
    }

    private static Arbitrary<String> doubles() {
        return Arbitraries.of("1.5", "0.1", "19.99", "-2.25", "1.0", "1e3", "1.25e-10", "-0.0");
    }
}
