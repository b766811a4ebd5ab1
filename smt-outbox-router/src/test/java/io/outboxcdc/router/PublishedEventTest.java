package io.outboxcdc.router;

import io.debezium.data.Json;
import io.debezium.data.Uuid;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import static io.outboxcdc.router.OutboxRow.aRow;
import static io.outboxcdc.router.OutboxRow.aStockRow;
import static org.assertj.core.api.Assertions.assertThat;

/** What an ordinary row becomes. */
class PublishedEventTest {

    private static final Schema WITH_DEFAULT =
            SchemaBuilder.string().optional().defaultValue("{\"default\":true}").build();

    @Test
    void aRowOfTheSuppliedTableBecomesOneEvent() {
        RouterUnderTest router = RouterUnderTest.asShipped();

        SourceRecord event = router.route(aRow());

        assertThat(event.topic()).isEqualTo("outbox.event.Order");
        assertThat(event.key()).isEqualTo("42");
        assertThat(event.value()).isEqualTo("{\"a\": 1}");
        assertThat(event.valueSchema().name()).isEqualTo(Json.LOGICAL_NAME);
        assertThat(event.timestamp()).isEqualTo(OutboxRow.CAPTURED_AT);
        assertThat(event.kafkaPartition()).isNull();
        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id", "eventType");
        assertThat(RouterUnderTest.header(event, "id")).isEqualTo(OutboxRow.ID);
        assertThat(event.headers().lastWithName("id").schema().name()).isEqualTo(Uuid.LOGICAL_NAME);
        assertThat(RouterUnderTest.header(event, "eventType")).isEqualTo("OrderPlaced");
        assertThat(router.counts.published.sum()).isOne();
    }

    @Test
    void theOffsetsOfTheSourceStay() {
        SourceRecord row = aRow().record();

        SourceRecord event =
                Objects.requireNonNull(RouterUnderTest.asShipped().router.apply(row));

        assertThat(event.sourceOffset()).isEqualTo(row.sourceOffset());
        assertThat(event.sourcePartition()).isEqualTo(row.sourcePartition());
    }

    @Test
    void bothSpellingsOfTheColumnsAreUnderstoodByDefault() {
        RouterUnderTest router = RouterUnderTest.with();

        assertThat(router.route(aStockRow()).topic()).isEqualTo("outbox.event.Order");
        assertThat(router.route(aRow()).topic()).isEqualTo("outbox.event.Order");
    }

    @Test
    void theStockSpellingWinsWhereATableHasBoth() {
        OutboxRow row = aRow().with("aggregatetype", Schema.STRING_SCHEMA, "Stock")
                .with("aggregateid", Schema.STRING_SCHEMA, "stock")
                .with("type", Schema.STRING_SCHEMA, "StockType");

        SourceRecord event =
                RouterUnderTest.with("event.type.header", "eventType").route(row);

        assertThat(event.topic()).isEqualTo("outbox.event.Stock");
        assertThat(event.key()).isEqualTo("stock");
        assertThat(RouterUnderTest.header(event, "eventType")).isEqualTo("StockType");
    }

    @Test
    void aNullEventTypeMakesNoHeader() {
        SourceRecord event = RouterUnderTest.asShipped().route(aRow().with("event_type", null));

        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id");
    }

    @Test
    void applyingTwiceGivesTheSameEventAndLeavesTheInputAlone() {
        RouterUnderTest router = RouterUnderTest.asShipped();
        SourceRecord row =
                aRow().with("headers", "{\"tenant\":\"acme\"}").header("before").record();

        SourceRecord first = router.router.apply(row);
        SourceRecord second = router.router.apply(row);

        assertThat(second).isEqualTo(first);
        assertThat(RouterUnderTest.headerNames(row)).containsExactly("before");
        assertThat(RouterUnderTest.headerNames(Objects.requireNonNull(second)))
                .containsExactly("before", "id", "eventType", "tenant");
    }

    @Test
    void anIdHeaderOfTheIncomingRecordIsReplaced() {
        SourceRecord event = RouterUnderTest.asShipped().route(aRow().header("id"));

        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id", "eventType");
        assertThat(RouterUnderTest.header(event, "id")).isEqualTo(OutboxRow.ID);
    }

    /** Whatever JSON the column holds goes out as it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1,2,3]",
                "[{\"a\":1},{\"a\":2}]",
                "[]",
                "{\"amt\": 12345678901234567890.123, \"price\": 1.10, \"rate\": 0.1234567890123456789, \"e\": 1000}",
                "{\"a\": [1, \"x\", null, true]}",
                "{\"a\": [[]]}",
                "{\"nick\": null, \"tags\": [], \"opts\": {}, \"l\": [{\"a\": 1}, {\"b\": 2}]}",
                "{\"order-id\": 7, \"a.b\": 1, \"$ref\": \"x\", \"\": 2, \"größe\": 3, \"1st\": 4}",
                "{\"t\": \"😀 \\u2028 \\\\u0000 C:\\\\new\"}",
                "{\"t\":\"\\u0000\"}",
                "null",
                "\"text\"",
                ""
            })
    void aPayloadIsPublishedAsItIs(String payload) {
        SourceRecord event = RouterUnderTest.asShipped().route(aRow().with("payload", payload));

        assertThat(event.topic()).isEqualTo("outbox.event.Order");
        assertThat(event.value()).isEqualTo(payload);
    }

    @Test
    void bytesArePublishedAsTheyAreAndNoBytesAreNoTombstone() {
        RouterUnderTest router = RouterUnderTest.asShipped();
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0, 0, 0, 0, 0, 1, 10});
        ByteBuffer none = ByteBuffer.wrap(new byte[0]);

        SourceRecord full = router.route(aRow().with("payload", Schema.OPTIONAL_BYTES_SCHEMA, bytes));
        SourceRecord empty = router.route(aRow().with("payload", Schema.OPTIONAL_BYTES_SCHEMA, none));

        assertThat(full.value()).isSameAs(bytes);
        assertThat(bytes.remaining()).isEqualTo(7);
        assertThat(empty.value()).isSameAs(none);
        assertThat(empty.topic()).isEqualTo("outbox.event.Order");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \t\n"})
    void anEmptyPayloadIsATombstoneWhereThatIsAskedFor(String payload) {
        RouterUnderTest router = RouterUnderTest.asShipped("route.tombstone.on.empty.payload", "true");

        SourceRecord event = router.route(aRow().with("payload", payload));

        assertThat(event.value()).isNull();
        assertThat(event.valueSchema()).isNull();
        assertThat(event.key()).isEqualTo("42");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "null", " x ", "\u00a0"})
    void aPayloadWithContentIsNoTombstone(String payload) {
        RouterUnderTest router = RouterUnderTest.asShipped("route.tombstone.on.empty.payload", "true");

        assertThat(router.route(aRow().with("payload", payload)).value()).isEqualTo(payload);
        assertThat(router.route(aRow().with("payload", Schema.BYTES_SCHEMA, new byte[] {0}))
                        .value())
                .isEqualTo(new byte[] {0});
    }

    @Test
    void nullAndNoBytesAreTombstonesWhereThatIsAskedFor() {
        RouterUnderTest router = RouterUnderTest.asShipped("route.tombstone.on.empty.payload", "true");
        ByteBuffer none = ByteBuffer.wrap(new byte[0]);

        SourceRecord fromNull = router.route(aRow().with("payload", null));
        SourceRecord fromNone = router.route(aRow().with("payload", Schema.OPTIONAL_BYTES_SCHEMA, none));

        assertThat(fromNull.value()).isNull();
        assertThat(fromNone.value()).isNull();
        assertThat(fromNone.valueSchema()).isNull();
    }

    @Test
    void theDefaultOfAColumnNeverTakesThePlaceOfNull() {
        SourceRecord letter = RouterUnderTest.asShipped()
                .refuse(aRow().with("payload", WITH_DEFAULT, null), DeadLetterReason.PAYLOAD_MISSING);

        assertThat(RouterUnderTest.json(letter).get("payload").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"id, ID_MISSING", "aggregate_type, TYPE_MISSING", "aggregate_id, KEY_MISSING"})
    void aColumnThatAnEventNeedsIsMissingThoughItHasADefault(String column, DeadLetterReason reason) {
        RouterUnderTest.asShipped().refuse(aRow().with(column, WITH_DEFAULT, null), reason);
    }

    @Test
    void theDefaultsOfOtherColumnsAreNoHeaders() {
        RouterUnderTest router = RouterUnderTest.asShipped("table.fields.additional.placement", "tenant:header");
        OutboxRow row = aRow().with("event_type", WITH_DEFAULT, null)
                .with("headers", WITH_DEFAULT, null)
                .with("tenant", WITH_DEFAULT, null);

        SourceRecord event = router.route(row);

        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id", "tenant");
        assertThat(RouterUnderTest.header(event, "tenant")).isNull();
    }

    @Test
    void aKeyKeepsItsTypeAndSchema() {
        SourceRecord event = RouterUnderTest.asShipped().route(aRow().with("aggregate_id", Schema.INT64_SCHEMA, 42L));

        assertThat(event.key()).isEqualTo(42L);
        assertThat(event.keySchema()).isEqualTo(Schema.INT64_SCHEMA);
    }

    @Test
    void schemaBuildersServeAsSchemasOfColumns() {
        OutboxRow row = aRow().with("id", SchemaBuilder.string(), OutboxRow.ID)
                .with("aggregate_type", SchemaBuilder.string(), "Order")
                .with("aggregate_id", SchemaBuilder.string(), "42")
                .with("payload", SchemaBuilder.string().optional(), "{}");

        SourceRecord event = RouterUnderTest.asShipped().route(row);

        assertThat(event.key()).isEqualTo("42");
        assertThat(event.value()).isEqualTo("{}");
    }

    @Test
    void aTableThatIsAlteredIsReadAnew() {
        RouterUnderTest router = RouterUnderTest.asShipped("table.field.event.type", "kind");
        OutboxRow before = aRow().with("kind", Schema.STRING_SCHEMA, "First");
        OutboxRow after = aRow().without("event_type").with("kind", Schema.STRING_SCHEMA, "Second");

        List<Object> types = List.of(
                String.valueOf(RouterUnderTest.header(router.route(before), "eventType")),
                String.valueOf(RouterUnderTest.header(router.route(after), "eventType")));

        assertThat(types).containsExactly("First", "Second");
    }

    @Test
    void manyThreadsMayUseOneRouter() {
        RouterUnderTest router = RouterUnderTest.asShipped();
        List<SourceRecord> rows = IntStream.range(0, 500)
                .mapToObj(i -> aRow().with("aggregate_type", "Type" + i % 7)
                        .with("aggregate_id", String.valueOf(i))
                        .record())
                .toList();

        List<String> routed = rows.parallelStream()
                .map(row -> Objects.requireNonNull(router.router.apply(row)))
                .map(event -> event.topic() + "/" + event.key())
                .toList();

        assertThat(routed)
                .containsExactlyElementsOf(IntStream.range(0, 500)
                        .mapToObj(i -> "outbox.event.Type" + i % 7 + "/" + i)
                        .toList());
        assertThat(router.counts.published.sum()).isEqualTo(500);
    }
}
