package io.outboxcdc.router;

import io.debezium.time.ZonedTimestamp;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Logical messages with the router's prefix are rows of an outbox that no table holds. */
class MessageEventTest {

    private static final String PLAIN = "\"id\": \"" + OutboxRow.ID + "\", \"aggregate_type\": \"Order\","
            + " \"aggregate_id\": \"42\", \"event_type\": \"OrderPlaced\"";

    private final RouterUnderTest router = RouterUnderTest.asShipped("message.prefix", "outbox");

    private SourceRecord route(String json) {
        return Objects.requireNonNull(router.router.apply(OutboxMessage.of(json)));
    }

    private void refuse(SourceRecord message, DeadLetterReason reason) {
        SourceRecord letter = Objects.requireNonNull(router.router.apply(message));
        assertThat(letter.topic()).isEqualTo("outbox.dead-letter");
        assertThat(RouterUnderTest.header(letter, HeaderNames.ERROR_REASON)).isEqualTo(reason.name());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": 1.10, \"b\": [null, \"x\"]}",
                "[1, 2]",
                "null",
                "12345678901234567890.10",
                "\"ü \\\\u0000 😀\"",
                "true"
            })
    void aMessageGivesTheSameRecordAsTheRow(String payload) {
        String headers =
                "{\"tenant\": 0.10, \"traceparent\": \"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}";

        SourceRecord event = route("{" + PLAIN + ", \"payload\": " + payload + ", \"headers\": " + headers + "}");

        assertSame(event, router.route(aRow().with("payload", payload).with("headers", headers)));
        assertThat(router.counts.published.sum()).isEqualTo(2);
    }

    @Test
    void textAndBytesHaveMembersOfTheirOwn() {
        byte[] bytes = new byte[100];
        bytes[1] = (byte) 0xff;
        String lines = Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(bytes);

        assertSame(
                route("{" + PLAIN + ", \"payload_text\": \" plain \\\"text\\\"\"}"),
                router.route(aRow().with("payload", Schema.OPTIONAL_STRING_SCHEMA, " plain \"text\"")));
        assertSame(
                route("{" + PLAIN + ", \"payload_base64\": \"" + lines.replace("\n", "\\n") + "\"}"),
                router.route(aRow().with("payload", Schema.OPTIONAL_BYTES_SCHEMA, ByteBuffer.wrap(bytes))));
    }

    @Test
    void everyOptionHoldsForMessagesToo() {
        RouterUnderTest all = RouterUnderTest.asShipped(
                "message.prefix", "outbox",
                "table.field.event.timestamp", "created_at",
                "table.expand.json.payload", "true",
                "cloudevents.headers", "true",
                "table.fields.additional.placement", "shard:partition,region:header,event_type:header:kind");
        OutboxRow row = aRow().with(
                        "created_at", ZonedTimestamp.builder().optional().build(), "2024-01-02T03:04:05+02:00")
                .with("shard", Schema.OPTIONAL_INT64_SCHEMA, 3L)
                .with("region", Schema.OPTIONAL_STRING_SCHEMA, "eu");

        SourceRecord event = Objects.requireNonNull(
                all.router.apply(
                        OutboxMessage.of(
                                "{" + PLAIN
                                        + ", \"payload\": {\"a\": 1}, \"created_at\": \"2024-01-02T03:04:05+02:00\", \"shard\": 3, \"region\": \"eu\"}")));

        assertSame(event, all.route(row));
        assertThat(event.kafkaPartition()).isEqualTo(3);
    }

    @Test
    void aVersionIsAWholeNumberOf32Bits() {
        RouterUnderTest versioned = RouterUnderTest.asShipped(
                "message.prefix", "outbox",
                "table.field.event.schema.version", "version",
                "table.fields.additional.placement", "event_type:envelope");

        assertThat(schema(versioned, "7").version()).isEqualTo(7);
        assertThat(schema(versioned, "null").version()).isNull();
        assertThat(schema(versioned, "7").name()).isEqualTo("pg.outbox.Order.Value");
        for (String none : List.of("2147483648", "1.0", "\"7\"", "99999999999999999999")) {
            SourceRecord letter = Objects.requireNonNull(versioned.router.apply(
                    OutboxMessage.of("{" + PLAIN + ", \"payload\": 1, \"version\": " + none + "}")));
            assertThat(RouterUnderTest.header(letter, "outbox.error.reason")).isEqualTo("MESSAGE_INVALID");
            assertThat(RouterUnderTest.header(letter, "outbox.error.message"))
                    .asString()
                    .contains("a member that has to be a whole number is none");
        }
    }

    private static Schema schema(RouterUnderTest router, String version) {
        SourceRecord event = Objects.requireNonNull(
                router.router.apply(OutboxMessage.of("{" + PLAIN + ", \"payload\": 1, \"version\": " + version + "}")));
        return event.valueSchema();
    }

    /** A row has the column, and it may be NULL; a message may leave it out. */
    @Test
    void aMessageWithoutPartitionLeavesItToTheProducer() {
        RouterUnderTest partitioned = RouterUnderTest.asShipped(
                "message.prefix", "outbox", "table.fields.additional.placement", "shard:partition");

        SourceRecord event =
                Objects.requireNonNull(partitioned.router.apply(OutboxMessage.of("{" + PLAIN + ", \"payload\": 1}")));
        SourceRecord letter = Objects.requireNonNull(
                partitioned.router.apply(OutboxMessage.of("{" + PLAIN + ", \"payload\": 1, \"shard\": \"x\"}")));

        assertThat(event.topic()).isEqualTo("outbox.event.Order");
        assertThat(event.kafkaPartition()).isNull();
        assertThat(RouterUnderTest.header(letter, "outbox.error.reason")).isEqualTo("MESSAGE_INVALID");
    }

    @Test
    void aPlacedColumnHasTheTypeThatItsValueShows() {
        RouterUnderTest placing = RouterUnderTest.asShipped(
                "message.prefix", "outbox", "table.fields.additional.placement", "a:header,b:header,c:header,d:header");

        SourceRecord event = Objects.requireNonNull(placing.router.apply(OutboxMessage.of("{" + PLAIN
                + ", \"payload\": 1, \"a\": 3000000000, \"b\": false, \"c\": {\"k\": [1.0]}, \"d\": 1.50}")));

        assertThat(RouterUnderTest.header(event, "a")).isEqualTo(3_000_000_000L);
        assertThat(RouterUnderTest.header(event, "b")).isEqualTo(false);
        assertThat(RouterUnderTest.header(event, "c")).isEqualTo("{\"k\": [1.0]}");
        assertThat(RouterUnderTest.header(event, "d")).isEqualTo("1.50");
    }

    @Test
    void aPlacedColumnThatIsMissingIsADeadLetterUnlessItIsToBeIgnored() {
        String message = "{" + PLAIN + ", \"payload\": 1}";
        RouterUnderTest strict = RouterUnderTest.asShipped(
                "message.prefix", "outbox", "table.fields.additional.placement", "region:header");
        RouterUnderTest lenient = RouterUnderTest.asShipped(
                "message.prefix", "outbox",
                "table.fields.additional.placement", "region:header,shard:partition",
                "table.field.additional.missing", "ignore");

        SourceRecord letter = Objects.requireNonNull(strict.router.apply(OutboxMessage.of(message)));
        SourceRecord event = Objects.requireNonNull(lenient.router.apply(OutboxMessage.of(message)));

        assertThat(RouterUnderTest.header(letter, "outbox.error.reason")).isEqualTo("MESSAGE_INVALID");
        assertThat(RouterUnderTest.header(letter, "outbox.error.message"))
                .asString()
                .contains("no member for a column that table.fields.additional.placement names");
        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id", "eventType");
        assertThat(event.kafkaPartition()).isNull();
    }

    @Test
    void contentThatDoesNotComeAsBytesStopsTheTask() {
        SourceRecord array = OutboxMessage.ofContent(
                Schema.OPTIONAL_BYTES_SCHEMA, ("{" + PLAIN + ", \"payload\": 1}").getBytes(StandardCharsets.UTF_8));
        SourceRecord text = OutboxMessage.ofContent(Schema.OPTIONAL_STRING_SCHEMA, "e30=");
        SourceRecord none = OutboxMessage.ofContent(Schema.OPTIONAL_STRING_SCHEMA, null);

        assertThat(Objects.requireNonNull(router.router.apply(array)).topic()).isEqualTo("outbox.event.Order");
        assertThatThrownBy(() -> router.router.apply(text))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining("binary.handling.mode");
        assertThatThrownBy(() -> router.router.apply(none))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("NULL");
    }

    @Test
    void theStockRoutersSpellingsAreUnderstood() {
        SourceRecord event = route("{\"id\": \"" + OutboxRow.ID
                + "\", \"aggregatetype\": \"Order\", \"aggregateid\": \"42\", \"payload\": {}}");

        assertThat(event.topic()).isEqualTo("outbox.event.Order");
        assertThat(event.key()).isEqualTo("42");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ID_MISSING | {\"aggregate_type\": \"Order\", \"aggregate_id\": \"42\", \"payload\": 1}",
                "TYPE_MISSING | {\"id\": \"1\", \"aggregate_id\": \"42\", \"payload\": 1}",
                "KEY_MISSING | {\"id\": \"1\", \"aggregate_type\": \"Order\", \"aggregate_id\": null, \"payload\": 1}",
                "PAYLOAD_MISSING | {\"id\": \"1\", \"aggregate_type\": \"Order\", \"aggregate_id\": \"42\"}",
                "PAYLOAD_MISSING | {\"id\": \"1\", \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload_text\": null}",
                "TOPIC_ILLEGAL | {\"id\": \"1\", \"aggregate_type\": \"a/b\", \"aggregate_id\": \"42\", \"payload\": 1}",
                "HEADERS_NOT_OBJECT | {\"id\": \"1\", \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload\": 1, \"headers\": []}",
                "MESSAGE_INVALID | {\"id\": {}, \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload\": 1}",
                "MESSAGE_INVALID | {\"id\": \"1\", \"id\": \"2\", \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload\": 1}",
                "MESSAGE_INVALID | {\"id\": \"1\", \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload\": 1, \"payload_text\": \"x\"}",
                "MESSAGE_INVALID | {\"id\": \"1\", \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload\": 1, \"payload_base64\": \"\"}",
                "MESSAGE_INVALID | {\"id\": \"1\", \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload_text\": \"\", \"payload_base64\": \"\"}",
                "MESSAGE_INVALID | {\"id\": \"1\", \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload_base64\": \"!\"}",
                "MESSAGE_INVALID | {\"id\": \"1\", \"aggregate_type\": \"O\", \"aggregate_id\": \"4\", \"payload_text\": 1}",
                "MESSAGE_INVALID | hi",
                "MESSAGE_INVALID | [1]",
                "MESSAGE_INVALID | {} {}",
                "MESSAGE_INVALID | ''"
            })
    void aMessageThatIsNoEventIsADeadLetter(DeadLetterReason reason, String json) {
        refuse(OutboxMessage.of(json), reason);
        assertThat(router.counts.countOf(reason)).isOne();
    }

    @Test
    void theDeadLetterHoldsTheWholeMessage() {
        SourceRecord readable = route("{" + PLAIN.replace("Order\"", "a/b\"") + ", \"payload\": {\"k\": 1.10}}");
        SourceRecord unreadable = route("hi {");
        SourceRecord noText =
                Objects.requireNonNull(router.router.apply(OutboxMessage.of("outbox", new byte[] {(byte) 0xff}, 1L)));

        assertThat(RouterUnderTest.json(readable).get("payload").textValue()).isEqualTo("{\"k\": 1.10}");
        assertThat(RouterUnderTest.header(readable, "id")).isEqualTo(OutboxRow.ID);
        assertThat(RouterUnderTest.header(readable, "outbox.source.lsn")).isEqualTo("1/16B3748");
        assertThat(RouterUnderTest.header(readable, "outbox.error.message"))
                .asString()
                .contains("row " + OutboxRow.ID + " in a logical message");
        assertThat(RouterUnderTest.json(unreadable).get("content").textValue()).isEqualTo("hi {");
        assertThat(RouterUnderTest.header(unreadable, "outbox.error.message"))
                .asString()
                .contains("the message is no JSON from character")
                .doesNotContain("hi {");
        assertThat(RouterUnderTest.json(noText).get("content").textValue()).isEqualTo("/w==");
    }

    @Test
    void aMessageOutsideATransactionIsADeadLetter() {
        byte[] content = ("{" + PLAIN + ", \"payload\": 1}").getBytes(StandardCharsets.UTF_8);

        refuse(OutboxMessage.of("outbox", content, null), DeadLetterReason.MESSAGE_NOT_TRANSACTIONAL);
    }

    @Test
    void otherPrefixesAndMessagesWithoutTheOptionPassAsTheSameObject() {
        SourceRecord ours = OutboxMessage.of("{" + PLAIN + ", \"payload\": 1}");
        SourceRecord other = OutboxMessage.of("Outbox", new byte[0], 1L);
        SourceRecord heartbeat = OutboxMessage.of("heartbeat", new byte[0], null);

        assertThat(router.router.apply(other)).isSameAs(other);
        assertThat(router.router.apply(heartbeat)).isSameAs(heartbeat);
        assertThat(RouterUnderTest.asShipped().router.apply(ours)).isSameAs(ours);
    }

    /** There is no row to refer to, so nothing may be left out. */
    @Test
    void aMessageThatIsTooLargeForADeadLetterStopsTheTask() {
        RouterUnderTest small = RouterUnderTest.asShipped("message.prefix", "outbox", "max.record.bytes", "2000");
        String large = "\"" + "x".repeat(3_000) + "\"";

        for (String json : List.of(
                "{" + PLAIN + ", \"payload\": " + large + "}",
                "{" + PLAIN.replace("Order\"", "a/b\"") + ", \"payload\": " + large + "}",
                large)) {
            assertThatThrownBy(() -> small.router.apply(OutboxMessage.of(json)))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("logical message")
                    .hasMessageContaining("max.record.bytes")
                    .hasMessageNotContaining("xxx");
        }
        assertThat(small.counts.countOf(DeadLetterReason.RECORD_TOO_LARGE)).isZero();
    }

    @Test
    void aMessageIsNeitherChangedNorReadDifferentlyTheSecondTime() {
        SourceRecord message = OutboxMessage.of("{" + PLAIN + ", \"payload\": {\"a\": 1}}");

        SourceRecord first = Objects.requireNonNull(router.router.apply(message));
        SourceRecord second = Objects.requireNonNull(router.router.apply(message));

        assertSame(second, first);
        assertThat(message.headers()).isEmpty();
        assertThat(message.sourceOffset()).isEqualTo(first.sourceOffset()).isEqualTo(Map.of("lsn", OutboxRow.LSN));
    }

    private static void assertSame(SourceRecord event, SourceRecord row) {
        assertThat(event.topic()).isEqualTo(row.topic());
        assertThat(event.kafkaPartition()).isEqualTo(row.kafkaPartition());
        assertThat(event.keySchema()).isEqualTo(row.keySchema());
        assertThat(event.key()).isEqualTo(row.key());
        assertThat(event.valueSchema()).isEqualTo(row.valueSchema());
        assertThat(event.value()).isEqualTo(row.value());
        assertThat(event.timestamp()).isEqualTo(row.timestamp());
        assertThat(RouterUnderTest.headers(event)).isEqualTo(RouterUnderTest.headers(row));
    }
}
