package io.outboxcdc.router;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

import static io.outboxcdc.router.OutboxRow.aRow;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A document is expressed exactly, or it is a dead letter. */
class ExpansionTest {

    private final RouterUnderTest router = RouterUnderTest.asShipped("table.expand.json.payload", "true");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": 1, \"b\": {\"c\": \"x\", \"d\": [true, false]}}",
                "[1, 2, 3]",
                "[{\"a\": 1}, {\"a\": 2}]",
                "[]",
                "{}",
                "[[], [1]]",
                "[{}, {}]",
                "[null]",
                "{\"a\": [1, null]}",
                "7",
                "\"text\"",
                "\"\"",
                "true",
                "{\"nick\": null, \"tags\": [], \"opts\": {}, \"deep\": {\"x\": null}}",
                "{\"a\": [1, 2.5]}",
                "{\"a\": [1, 3000000000]}",
                "{\"a\": [9007199254740993, 0.5]}",
                "{\"a\": [{\"b\": 1}, {\"b\": 3000000000}]}",
                "{\"a\": [{\"b\": {\"c\": 1}}, {\"b\": null}]}",
                "{\"a\": [19.99, 20.00, 5]}",
                "{\"amt\": 12345678901234567890.123, \"price\": 1.10, \"rate\": 0.1234567890123456789, \"e\": 1e3}",
                "{\"a\": 12345678901234567890, \"b\": -9223372036854775809, \"c\": 1e400, \"d\": 1e-400}",
                "{\"order-id\": 7, \"a.b\": 1, \"$ref\": \"x\", \"größe\": 3, \"1st\": 4}",
                "{\"t\": \"😀 \\u2028 \\\\u0000 C:\\\\new \\u0000\"}",
                " \n {\"a\": 1} ",
                "{\"b\": [{\"x\": 1, \"y\": 2}, {\"y\": 3, \"x\": 4}]}",
                "{\"a\": [[{\"b\": 1}], [{\"b\": 2}]]}"
            })
    void theConvertersWriteWhatTheColumnHolds(String payload) throws IOException {
        SourceRecord event = router.route(aRow().with("payload", payload));

        assertThat(event.topic()).isEqualTo("outbox.event.Order");
        assertEqual(written(event), exactly(payload));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": [1, \"x\", null, true]} | different types",
                "[{\"a\": 1}, [1]] | different types",
                "{\"l\": [{\"a\": 1}, {\"b\": 2}]} | differ in their members",
                "[{}, {\"a\": 1}] | differ in their members",
                "{\"a\": [{\"b\": {\"c\": 1}}, {\"b\": {\"d\": 2}}]} | differ in their members",
                "{\"\": 2} | without a name",
                "{\"a\": 1, \"a\": 2} | twice",
                "{\"a\": 1} trailing | no JSON from character",
                "{\"a\": 1}{\"b\": 2} | goes on after the end",
                "not json | no JSON from character",
                "{\"a\": NaN} | no JSON from character",
                "{\"a\": 1e99999} | more than 10000 digits",
                "null | JSON's null",
                "`  ` | blank"
            })
    void whatNoSchemaExpressesIsADeadLetterThatSaysWhy(String payload, String why) {
        SourceRecord letter = router.refuse(aRow().with("payload", payload), DeadLetterReason.NOT_EXPRESSIBLE);

        assertThat(RouterUnderTest.header(letter, "outbox.error.column")).isEqualTo("payload");
        assertThat(RouterUnderTest.header(letter, "outbox.error.message"))
                .asString()
                .contains(why);
        assertThat(RouterUnderTest.json(letter).get("payload").textValue()).isEqualTo(payload);
    }

    @Test
    void aDocumentOfAnyDepthNeitherOverflowsTheStackNorIsLost() throws IOException {
        String deepest = "[".repeat(JsonReader.MAX_DEPTH) + "]".repeat(JsonReader.MAX_DEPTH);

        assertEqual(written(router.route(aRow().with("payload", deepest))), exactly(deepest));
        router.refuse(aRow().with("payload", "[" + deepest + "]"), DeadLetterReason.NOT_EXPRESSIBLE);
        router.refuse(
                aRow().with("payload", "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000)),
                DeadLetterReason.NOT_EXPRESSIBLE);
    }

    @Test
    void typesAndNamesAreTheStockRouters() {
        SourceRecord event = router.route(aRow().with(
                        "payload",
                        "{\"s\": \"x\", \"i\": 1, \"l\": 3000000000, \"d\": 1.5, \"long\": 123456789012345.5, \"b\": true,"
                                + " \"o\": {\"n\": 1}, \"a\": [{\"m\": 2}]}"));

        Schema schema = event.valueSchema();
        assertThat(schema.name()).isEqualTo("payload");
        assertThat(schema.isOptional()).isTrue();
        assertThat(schema.field("s").schema()).isEqualTo(Schema.OPTIONAL_STRING_SCHEMA);
        assertThat(schema.field("i").schema()).isEqualTo(Schema.OPTIONAL_INT32_SCHEMA);
        assertThat(schema.field("l").schema()).isEqualTo(Schema.OPTIONAL_INT64_SCHEMA);
        assertThat(schema.field("d").schema()).isEqualTo(Schema.OPTIONAL_FLOAT64_SCHEMA);
        assertThat(schema.field("long").schema()).isEqualTo(Schema.OPTIONAL_FLOAT64_SCHEMA);
        assertThat(schema.field("b").schema()).isEqualTo(Schema.OPTIONAL_BOOLEAN_SCHEMA);
        assertThat(schema.field("o").schema().name()).isEqualTo("payload.o");
        assertThat(schema.field("a").schema().valueSchema().name()).isEqualTo("payload.a");
    }

    @Test
    void aNumberThatNoDoubleHoldsIsADecimalWithAllItsDigits() {
        Struct value = (Struct) router.route(aRow().with("payload", "{\"price\": 1.10, \"all\": [19.99, 20.00, 5]}"))
                .value();

        assertThat(value.schema().field("price").schema())
                .isEqualTo(Decimal.builder(2).optional().build());
        assertThat(value.get("price")).isEqualTo(new BigDecimal("1.10"));
        assertThat(value.getArray("all"))
                .isEqualTo(List.of(new BigDecimal("19.99"), new BigDecimal("20.00"), new BigDecimal("5.00")));
    }

    /** Written out it is a one and zeros, and their number is bounded. */
    @Test
    void aNumberOfTenThousandDigitsIsExpressedAndOneOfMoreIsNot() {
        for (String number : List.of("1e9999", "1e-10000")) {
            BigDecimal value =
                    (BigDecimal) router.route(aRow().with("payload", number)).value();
            assertThat(value.compareTo(new BigDecimal(number))).as(number).isZero();
        }
        for (String number : List.of("1e10000", "1e-10001")) {
            router.refuse(aRow().with("payload", number), DeadLetterReason.NOT_EXPRESSIBLE);
        }
    }

    @Test
    void documentsOfOneShapeShareOneSchema() {
        Schema first = router.route(aRow().with("payload", "{\"a\": 1, \"b\": [\"x\"]}"))
                .valueSchema();
        Schema second = router.route(aRow().with("payload", "{\"a\": 2, \"b\": [\"y\", \"z\"]}"))
                .valueSchema();
        Schema other =
                router.route(aRow().with("payload", "{\"a\": 1.5, \"b\": []}")).valueSchema();

        assertThat(second).isSameAs(first);
        assertThat(other).isNotEqualTo(first);
    }

    @Test
    void shapesThatNeverComeAgainDoNotFillTheMemory() throws NotExpressibleException {
        JsonExpansion expansion = new JsonExpansion(new ShapeFinder(false, false, false), "payload", name -> name);

        for (int i = 0; i < 3 * JsonExpansion.SHAPES_KEPT; i++) {
            expansion.expand("{\"member" + i + "\": 1}");
        }

        assertThat(expansion.remembered()).isBetween(1, JsonExpansion.SHAPES_KEPT);
    }

    @Test
    void aSchemaCountsWithTheNamesInIt() throws NotExpressibleException {
        JsonExpansion expansion = new JsonExpansion(new ShapeFinder(false, false, false), "payload", name -> name);

        long small = expansion.expand("{\"a\": 1}").schemaBytes();
        long longName = expansion.expand("{\"abcdefghij\": 1}").schemaBytes();
        long array = expansion.expand("{\"a\": [1]}").schemaBytes();
        long object = expansion.expand("{\"a\": {\"b\": 1}}").schemaBytes();
        long perField = small - "payload".length() - "a".length();

        assertThat(perField).isPositive().isEven();
        assertThat(longName - small).isEqualTo(9);
        assertThat(array - small).isEqualTo(perField / 2);
        assertThat(object - small).isEqualTo(perField / 2 + "payload.a".length() + "b".length());
    }

    @Test
    void nullMembersAndEmptyArraysAreLeftOutWhereThatIsAskedFor() throws IOException {
        RouterUnderTest ignoring = RouterUnderTest.asShipped(
                "table.expand.json.payload", "true",
                "table.json.payload.null.behavior", "ignore",
                "table.json.payload.empty.array.behavior", "ignore");

        SourceRecord event = ignoring.route(aRow().with(
                        "payload", "{\"n\": null, \"e\": [], \"k\": [null, 1], \"l\": [{\"a\": 1}, {\"b\": [[]]}]}"));

        assertThat(event.valueSchema().fields()).extracting("name").containsExactly("k", "l");
        assertEqual(
                written(event),
                exactly("{\"k\": [null, 1], \"l\": [{\"a\": 1, \"b\": null}, {\"a\": null, \"b\": [[]]}]}"));
    }

    @Test
    void nullMembersAndEmptyArraysHaveTheStockRoutersTypesWhereTheyAreKept() {
        RouterUnderTest keeping = RouterUnderTest.asShipped(
                "table.expand.json.payload", "true",
                "table.json.payload.null.behavior", "optional_bytes",
                "table.json.payload.empty.array.behavior", "optional_string");

        SourceRecord event = keeping.route(aRow().with("payload", "{\"n\": null, \"e\": [], \"l\": [{}, {\"n\": 1}]}"));

        assertThat(event.valueSchema().field("n").schema()).isEqualTo(Schema.OPTIONAL_BYTES_SCHEMA);
        assertThat(event.valueSchema().field("e").schema())
                .isEqualTo(SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA)
                        .optional()
                        .build());
        assertThat(event.valueSchema()
                        .field("l")
                        .schema()
                        .valueSchema()
                        .field("n")
                        .schema())
                .isEqualTo(Schema.OPTIONAL_INT32_SCHEMA);
    }

    @Test
    void aValueFollowsItsRenamedMember() {
        RouterUnderTest avro =
                RouterUnderTest.asShipped("table.expand.json.payload", "true", "field.name.adjustment.mode", "avro");

        Struct value = (Struct)
                avro.route(aRow().with("payload", "{\"order-id\": 7, \"my-obj\": {\"1st\": [{\"a.b\": \"x\"}]}}"))
                        .value();

        assertThat(value.getInt32("order_id")).isEqualTo(7);
        assertThat(value.getStruct("my_obj").schema().name()).isEqualTo("payload.my_obj");
        assertThat(value.getStruct("my_obj").schema().fields())
                .extracting("name")
                .containsExactly("_1st");
        avro.refuse(aRow().with("payload", "{\"a-b\": 1, \"a_b\": 2}"), DeadLetterReason.NOT_EXPRESSIBLE);
    }

    @Test
    void anEmptyPayloadIsATombstoneBeforeItIsExpanded() {
        RouterUnderTest tombstones = RouterUnderTest.asShipped(
                "table.expand.json.payload", "true", "route.tombstone.on.empty.payload", "true");

        assertThat(tombstones.route(aRow().with("payload", " ")).value()).isNull();
        assertThat(tombstones.route(aRow().with("payload", null)).valueSchema()).isNull();
    }

    @Test
    void aPayloadOfBytesIsPublishedAsItIs() {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2});

        assertThat(router.route(aRow().with("payload", Schema.BYTES_SCHEMA, bytes))
                        .value())
                .isEqualTo(bytes);
    }

    /** JsonConverter writes the schema beside each value: many members make a record several times as large. */
    @Test
    void theSchemaCountsForTheSize() {
        StringBuilder many = new StringBuilder("{\"member0\": 0");
        for (int i = 1; i < 200; i++) {
            many.append(", \"member").append(i).append("\": 0");
        }
        many.append('}');
        RouterUnderTest small =
                RouterUnderTest.asShipped("table.expand.json.payload", "true", "max.record.bytes", "10000");

        small.refuse(aRow().with("payload", many.toString()), DeadLetterReason.RECORD_TOO_LARGE);
        assertThat(RouterUnderTest.asShipped("max.record.bytes", "10000")
                        .route(aRow().with("payload", many.toString()))
                        .topic())
                .isEqualTo("outbox.event.Order");
    }

    private static void assertEqual(JsonNode written, JsonNode payload) {
        assertThat(written.equals(ExpansionTest::compare, payload))
                .as("%s is %s", written, payload)
                .isTrue();
    }

    private static int compare(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
    }

    private static JsonNode exactly(String json) throws IOException {
        return new ObjectMapper()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .readTree(json);
    }

    private static JsonNode written(SourceRecord event) throws IOException {
        try (JsonConverter converter = new JsonConverter()) {
            converter.configure(Map.of("schemas.enable", true, "decimal.format", "NUMERIC"), false);
            byte[] bytes = converter.fromConnectData(event.topic(), event.valueSchema(), event.value());
            return exactly(new String(bytes, UTF_8)).get("payload");
        }
    }
}
