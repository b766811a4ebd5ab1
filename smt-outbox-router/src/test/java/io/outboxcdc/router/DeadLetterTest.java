package io.outboxcdc.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;

/** What stands in the dead-letter topic for a row that makes no legal event. */
class DeadLetterTest {

    private final RouterUnderTest router = RouterUnderTest.asShipped();

    @Test
    void theRowIsOneJsonTextAndTheHeadersSayWhyAndWhereFrom() {
        OutboxRow row = aRow().with("aggregate_type", "a/b")
                .with("headers", "{\"tenant\": 0.10}")
                .with("flag", Schema.BOOLEAN_SCHEMA, true)
                .with("shard", Schema.INT64_SCHEMA, 7L)
                .header("__debezium.context.taskId");

        SourceRecord letter = router.refuse(row, DeadLetterReason.TOPIC_ILLEGAL);

        assertThat(letter.value())
                .isEqualTo("{\"id\":\"" + OutboxRow.ID + "\",\"aggregate_type\":\"a/b\",\"aggregate_id\":\"42\","
                        + "\"event_type\":\"OrderPlaced\",\"payload\":\"{\\\"a\\\": 1}\","
                        + "\"headers\":\"{\\\"tenant\\\": 0.10}\",\"created_at\":null,\"flag\":true,\"shard\":7}");
        assertThat(letter.valueSchema()).isEqualTo(Schema.STRING_SCHEMA);
        assertThat(letter.key()).isEqualTo("42");
        assertThat(letter.keySchema()).isEqualTo(Schema.STRING_SCHEMA);
        assertThat(letter.timestamp()).isEqualTo(OutboxRow.CAPTURED_AT);
        assertThat(letter.kafkaPartition()).isNull();
        assertThat(RouterUnderTest.headerNames(letter))
                .containsExactly(
                        "id",
                        "outbox.error.reason",
                        "outbox.error.message",
                        "outbox.error.column",
                        "outbox.source.lsn",
                        "outbox.source.tx");
        assertThat(RouterUnderTest.header(letter, "id")).isEqualTo(OutboxRow.ID);
        assertThat(RouterUnderTest.header(letter, "outbox.error.column")).isEqualTo("aggregate_type");
        assertThat(RouterUnderTest.header(letter, "outbox.source.lsn")).isEqualTo("1/16B3748");
        assertThat(RouterUnderTest.header(letter, "outbox.source.tx")).isEqualTo("765");
        assertThat(RouterUnderTest.header(letter, "outbox.error.message"))
                .asString()
                .contains(OutboxRow.ID, "public.outbox", "aggregate_type")
                .doesNotContain("a/b", "tenant");
        assertThat(router.counts.countOf(DeadLetterReason.TOPIC_ILLEGAL)).isOne();
        assertThat(router.counts.published.sum()).isZero();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  "})
    void aMissingKeyIsADeadLetter(@Nullable String key) {
        SourceRecord letter = router.refuse(aRow().with("aggregate_id", key), DeadLetterReason.KEY_MISSING);

        assertThat(letter.key()).isNull();
        assertThat(RouterUnderTest.header(letter, "outbox.error.column")).isEqualTo("aggregate_id");
        assertThat(RouterUnderTest.header(letter, "id")).isEqualTo(OutboxRow.ID);
    }

    @Test
    void aMissingIdIsADeadLetterWithoutId() {
        SourceRecord letter = router.refuse(aRow().with("id", null), DeadLetterReason.ID_MISSING);

        assertThat(RouterUnderTest.headerNames(letter)).doesNotContain("id");
        assertThat(letter.key()).isEqualTo("42");
    }

    @Test
    void bytesAreInBase64AndTheBufferIsLeftAsItWas() {
        byte[] bytes = {0, 1, 2, (byte) 0xff};
        ByteBuffer slice = ByteBuffer.wrap(new byte[] {9, 9, 0, 1, 2, (byte) 0xff, 9}, 2, 4);
        OutboxRow row =
                aRow().with("payload", Schema.OPTIONAL_BYTES_SCHEMA, slice).with("aggregate_type", null);

        SourceRecord letter = router.refuse(row, DeadLetterReason.TYPE_MISSING);

        assertThat(RouterUnderTest.json(letter).get("payload").textValue())
                .isEqualTo(Base64.getEncoder().encodeToString(bytes));
        assertThat(slice.remaining()).isEqualTo(4);
    }

    @Test
    void aRowWithoutSourceHasNoPosition() {
        SourceRecord letter =
                router.refuse(aRow().withoutSource().with("aggregate_type", ""), DeadLetterReason.TYPE_MISSING);

        assertThat(RouterUnderTest.headerNames(letter)).doesNotContain("outbox.source.lsn", "outbox.source.tx");
    }

    @Test
    void anEventThatIsTooLargeRefersToItsRow() {
        RouterUnderTest small = RouterUnderTest.asShipped("max.record.bytes", "2000");
        String payload = "é".repeat(1_000);

        SourceRecord letter = small.refuse(aRow().with("payload", payload), DeadLetterReason.RECORD_TOO_LARGE);

        JsonNode json = RouterUnderTest.json(letter);
        assertThat(json.get("payload").isNull()).isTrue();
        assertThat(json.get("payload_omitted_bytes").longValue()).isEqualTo(2_000);
        assertThat(json.get("aggregate_id").textValue()).isEqualTo("42");
        assertThat(RouterUnderTest.header(letter, "id")).isEqualTo(OutboxRow.ID);
        assertThat(sizeOf(letter)).isLessThanOrEqualTo(2_000);
    }

    @Test
    void theLargestRecordIsOneOfExactlyTheLimit() {
        // Key 2, headers id and eventType: 2 + 36 + 9 + 11, and 10 for the lengths of each.
        int overhead = 2 + 2 + 36 + 9 + 11 + 2 * 10;
        RouterUnderTest limited = RouterUnderTest.asShipped("max.record.bytes", "1000");

        assertThat(limited.route(aRow().with("payload", "x".repeat(1_000 - overhead)))
                        .topic())
                .isEqualTo("outbox.event.Order");
        limited.refuse(aRow().with("payload", "x".repeat(1_000 - overhead + 1)), DeadLetterReason.RECORD_TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "aggregate_id", "aggregate_type", "event_type", "headers", "payload"})
    void aDeadLetterCanAlwaysBeSentWhicheverColumnIsHuge(String column) {
        String huge =
                column.equals("headers") ? "{\"h\":\"" + "x".repeat(3_000_000) + "\"}" : "\u0001".repeat(3_000_000);

        SourceRecord letter = Objects.requireNonNull(router.apply(aRow().with(column, huge)));

        assertThat(letter.topic()).isEqualTo("outbox.dead-letter");
        assertThat(sizeOf(letter)).isLessThanOrEqualTo(1_000_000);
        assertThat(RouterUnderTest.json(letter).get(column).isNull()).isTrue();
        assertThat(RouterUnderTest.json(letter).get(column + "_omitted_bytes").longValue())
                .isGreaterThanOrEqualTo(3_000_000);
    }

    @Test
    void ofSeveralLargeColumnsThePayloadIsLeftOutFirstAndThenTheLargest() {
        OutboxRow row = aRow().with("payload", "p".repeat(600))
                .with("event_type", "t".repeat(700))
                .with("headers", "{\"h\":\"" + "h".repeat(900) + "\"}");

        assertThat(leftOut(row, 3_500)).isEmpty();
        assertThat(leftOut(row, 2_800)).containsExactly("payload");
        assertThat(leftOut(row, 2_200)).containsExactlyInAnyOrder("payload", "headers");
        assertThat(leftOut(row, 1_400)).containsExactlyInAnyOrder("payload", "headers", "event_type");
    }

    private static List<String> leftOut(OutboxRow row, int maxBytes) {
        RouterUnderTest limited = RouterUnderTest.asShipped("max.record.bytes", String.valueOf(maxBytes));

        SourceRecord letter = limited.refuse(row.with("aggregate_type", "a/b"), DeadLetterReason.TOPIC_ILLEGAL);

        assertThat(sizeOf(letter)).isLessThanOrEqualTo(maxBytes);
        List<String> names = new ArrayList<>();
        RouterUnderTest.json(letter).fieldNames().forEachRemaining(names::add);
        return names.stream()
                .filter(name -> name.endsWith("_omitted_bytes"))
                .map(name -> name.substring(0, name.length() - "_omitted_bytes".length()))
                .toList();
    }

    @Test
    void aRowThatJustFitsStaysWhole() {
        OutboxRow row = aRow().with("aggregate_type", "a/b").with("payload", "p".repeat(600));
        int exact = (int) sizeOf(router.refuse(row, DeadLetterReason.TOPIC_ILLEGAL));

        assertThat(leftOut(row, exact)).isEmpty();
        assertThat(leftOut(row, exact - 1)).containsExactly("payload");
    }

    /** To say that it was left out would take as much. */
    @Test
    void aShortColumnStaysWhateverTheLimit() {
        RouterUnderTest tiny = RouterUnderTest.asShipped("max.record.bytes", "1");
        OutboxRow row = aRow().with("event_type", "t".repeat(64)).with("headers", "{\"h\":\"" + "x".repeat(57) + "\"}");

        JsonNode json = RouterUnderTest.json(tiny.refuse(row, DeadLetterReason.RECORD_TOO_LARGE));

        assertThat(json.get("event_type").textValue()).hasSize(64);
        assertThat(json.get("headers_omitted_bytes").intValue()).isEqualTo(65);
    }

    /** The row is in the table; id and key tell which it is, as long as they leave room for the rest. */
    @Test
    void keyAndIdOfUpToAQuarterOfTheRecordStay() {
        RouterUnderTest limited = RouterUnderTest.asShipped("max.record.bytes", "4000");

        SourceRecord both = limited.refuse(
                aRow().with("aggregate_id", "k".repeat(1_000))
                        .with("id", Schema.STRING_SCHEMA, "i".repeat(1_000))
                        .with("aggregate_type", "a/b"),
                DeadLetterReason.TOPIC_ILLEGAL);
        SourceRecord neither = limited.refuse(
                aRow().with("aggregate_id", "k".repeat(1_001))
                        .with("id", Schema.STRING_SCHEMA, "i".repeat(1_001))
                        .with("aggregate_type", "a/b"),
                DeadLetterReason.TOPIC_ILLEGAL);

        assertThat(both.key()).isEqualTo("k".repeat(1_000));
        assertThat(RouterUnderTest.header(both, "id")).isEqualTo("i".repeat(1_000));
        assertThat(neither.key()).isNull();
        assertThat(neither.keySchema()).isNull();
        assertThat(RouterUnderTest.header(neither, "id")).isNull();
        assertThat(sizeOf(both)).isLessThanOrEqualTo(4_000);
        assertThat(sizeOf(neither)).isLessThanOrEqualTo(4_000);
    }

    @Test
    void aMessageNamesALongIdByItsBeginning() {
        assertThat(messageOfId("i".repeat(64))).contains("row " + "i".repeat(64) + " of");
        assertThat(messageOfId("i".repeat(65))).contains("row " + "i".repeat(64) + "... of");
    }

    private String messageOfId(String id) {
        SourceRecord letter = router.refuse(
                aRow().with("id", Schema.STRING_SCHEMA, id).with("aggregate_type", "a/b"),
                DeadLetterReason.TOPIC_ILLEGAL);
        return String.valueOf(RouterUnderTest.header(letter, "outbox.error.message"));
    }

    @Test
    void aLargeHeaderCountsAsAPayloadDoes() {
        RouterUnderTest limited = RouterUnderTest.asShipped("max.record.bytes", "2000");

        limited.refuse(
                aRow().with("headers", "{\"h\":\"" + "x".repeat(2_000) + "\"}"), DeadLetterReason.RECORD_TOO_LARGE);
        limited.refuse(
                aRow().with("headers", "{\"" + "n".repeat(2_000) + "\":\"x\"}"), DeadLetterReason.RECORD_TOO_LARGE);
        limited.refuse(aRow().with("aggregate_id", "k".repeat(2_000)), DeadLetterReason.RECORD_TOO_LARGE);
    }

    /** Six bytes of JSON for one of the column: the row's text grows beyond the limit although the row does not. */
    @Test
    void aPayloadThatGrowsByEscapingIsLeftOut() {
        SourceRecord letter = router.refuse(
                aRow().with("payload", "\u0001".repeat(900_000)).with("aggregate_type", "a/b"),
                DeadLetterReason.TOPIC_ILLEGAL);

        assertThat(RouterUnderTest.json(letter).get("payload_omitted_bytes").longValue())
                .isEqualTo(900_000);
        assertThat(sizeOf(letter)).isLessThanOrEqualTo(1_000_000);
    }

    @Test
    void aTinyLimitStillLeavesWhatTellsTheRow() {
        RouterUnderTest tiny = RouterUnderTest.asShipped("max.record.bytes", "1");

        SourceRecord letter = tiny.refuse(aRow().with("payload", "x".repeat(100)), DeadLetterReason.RECORD_TOO_LARGE);

        assertThat(RouterUnderTest.header(letter, "id")).isEqualTo(OutboxRow.ID);
        assertThat(letter.key()).isEqualTo("42");
        assertThat(RouterUnderTest.json(letter).get("id").textValue()).isEqualTo(OutboxRow.ID);
        assertThat(RouterUnderTest.json(letter).get("payload").isNull()).isTrue();
    }

    @Test
    void aTimeThatKafkaWouldRefuseIsLeftToTheProducer() {
        SourceRecord letter = router.refuse(
                aRow().with("aggregate_id", "").capturedAt(OutboxRow.CAPTURED_AT * 2), DeadLetterReason.KEY_MISSING);

        assertThat(letter.timestamp()).isNull();
    }

    @Test
    void laterRowsFlowOn() {
        router.refuse(aRow().with("aggregate_type", "a/b"), DeadLetterReason.TOPIC_ILLEGAL);

        assertThat(router.route(aRow()).topic()).isEqualTo("outbox.event.Order");
    }

    @Test
    void aTopicOfOnesOwnIsUsed() {
        SourceRecord letter =
                RouterUnderTest.asShipped("dead.letter.topic", "orders.dead").route(aRow().with("aggregate_id", ""));

        assertThat(letter.topic()).isEqualTo("orders.dead");
    }

    private static long sizeOf(SourceRecord record) {
        return RecordSize.of(record.key()) + RecordSize.of(record.value()) + RecordSize.of(record.headers());
    }
}
