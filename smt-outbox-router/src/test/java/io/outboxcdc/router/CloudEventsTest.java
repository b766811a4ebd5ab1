package io.outboxcdc.router;

import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.debezium.data.Xml;
import io.debezium.time.ZonedTimestamp;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.StringConverter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;

/** The headers are read back by the CloudEvents SDK, out of the bytes that the shipped converters write. */
class CloudEventsTest {

    private final RouterUnderTest router = RouterUnderTest.asShipped("cloudevents.headers", "true");

    @Test
    void anEventIsACloudEventWithItsPayloadAsData() {
        CloudEvent event = read(router.route(aRow().with("headers", "{\"tenant\": \"acme\"}")));

        assertThat(event.getSpecVersion()).isEqualTo(SpecVersion.V1);
        assertThat(event.getId()).isEqualTo(OutboxRow.ID);
        assertThat(event.getType()).isEqualTo("OrderPlaced");
        assertThat(event.getSource()).isEqualTo(URI.create("/pg"));
        assertThat(event.getSubject()).isEqualTo("42");
        assertThat(event.getTime()).isEqualTo(OffsetDateTime.parse("2024-03-09T15:59:59.999Z"));
        assertThat(event.getDataContentType()).isEqualTo("application/json");
        assertThat(event.getDataSchema()).isNull();
        assertThat(event.getExtension("sequence")).isEqualTo("00000001016B3000-00000001016B3748");
        assertThat(Objects.requireNonNull(event.getData()).toBytes())
                .isEqualTo("{\"a\": 1}".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void otherHeadersStayAsTheyAre() {
        SourceRecord event = router.route(aRow().with(
                        "headers",
                        "{\"tenant\": \"acme\", \"traceparent\":"
                                + " \"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}"));

        assertThat(RouterUnderTest.headerNames(event))
                .startsWith("id", "eventType", "tenant", "traceparent", "ce_specversion");
    }

    @Test
    void theRowNamesItsSchemaAndItsContentType() {
        CloudEvent event =
                read(router.route(aRow().with("payload", Schema.BYTES_SCHEMA, ByteBuffer.wrap(new byte[] {0, 1}))
                        .with(
                                "headers",
                                "{\"dataschema\": \"https://schemas.example/order/2\","
                                        + " \"datacontenttype\": \"application/avro; v=2\"}")));

        assertThat(event.getDataSchema()).isEqualTo(URI.create("https://schemas.example/order/2"));
        assertThat(event.getDataContentType()).isEqualTo("application/avro; v=2");
        assertThat(Objects.requireNonNull(event.getData()).toBytes()).containsExactly(0, 1);
    }

    @Test
    void onlyWhatIsKnownIsSaidOfTheContent() {
        assertThat(contentType(aRow().with("payload", Schema.BYTES_SCHEMA, new byte[] {1})))
                .isEqualTo("application/octet-stream");
        assertThat(contentType(aRow().with("payload", Schema.STRING_SCHEMA, "x")))
                .isNull();
        assertThat(contentType(aRow().with("payload", Xml.schema(), "<x/>"))).isEqualTo("application/xml");
    }

    @Test
    void aTombstoneHasNoDataAndNoContentType() {
        RouterUnderTest tombstones =
                RouterUnderTest.asShipped("cloudevents.headers", "true", "route.tombstone.on.empty.payload", "true");

        SourceRecord event = tombstones.route(aRow().with("payload", null));

        assertThat(RouterUnderTest.headerNames(event)).contains("ce_id").doesNotContain("content-type");
        assertThat(read(event).getData()).isNull();
    }

    @Test
    void theRowsOwnTimeIsTheEventsTime() {
        RouterUnderTest timed =
                RouterUnderTest.asShipped("cloudevents.headers", "true", "table.field.event.timestamp", "created_at");

        CloudEvent event =
                read(timed.route(aRow().with("created_at", ZonedTimestamp.schema(), "2024-01-02T01:04:05.123456Z")));

        assertThat(event.getTime()).isEqualTo(OffsetDateTime.parse("2024-01-02T01:04:05.123Z"));
    }

    @Test
    void aSourceOfOnesOwnIsUsed() {
        RouterUnderTest own = RouterUnderTest.asShipped(
                "cloudevents.headers", "true", "cloudevents.source", "https://shop.example/orders");

        assertThat(read(own.route(aRow())).getSource()).isEqualTo(URI.create("https://shop.example/orders"));
    }

    @Test
    void aRowDoesNotOverrideAnAttribute() {
        SourceRecord event = router.route(
                aRow().with("headers", "{\"ce_id\": \"forged\", \"CE_type\": \"x\", \"Content-Type\": \"y\"}"));

        assertThat(read(event).getId()).isEqualTo(OutboxRow.ID);
        assertThat(RouterUnderTest.headerNames(event))
                .doesNotHaveDuplicates()
                .doesNotContain("CE_type", "Content-Type");
        assertThat(router.counts.headerCollisions.sum()).isEqualTo(3);
    }

    @Test
    void withoutTheOptionTheNamesAreFree() {
        SourceRecord event = RouterUnderTest.asShipped()
                .route(aRow().with("headers", "{\"ce_id\": \"x\", \"content-type\": \"y\", \"dataschema\": \"z\"}"));

        assertThat(RouterUnderTest.headerNames(event)).contains("ce_id", "content-type", "dataschema");
    }

    @Test
    void aRowWithoutEventTypeIsADeadLetter() {
        SourceRecord letter = router.refuse(aRow().with("event_type", null), DeadLetterReason.CLOUDEVENT_INVALID);

        assertThat(RouterUnderTest.header(letter, HeaderNames.ERROR_COLUMN)).isEqualTo("event_type");
        router.refuse(aRow().with("event_type", "  "), DeadLetterReason.CLOUDEVENT_INVALID);
    }

    @Test
    void anIdIsATextOrANumber() {
        assertThat(read(router.route(aRow().with("id", Schema.INT64_SCHEMA, 42L)))
                        .getId())
                .isEqualTo("42");

        SourceRecord letter = router.refuse(
                aRow().with("id", Schema.BYTES_SCHEMA, new byte[] {1}), DeadLetterReason.CLOUDEVENT_INVALID);
        assertThat(RouterUnderTest.header(letter, HeaderNames.ERROR_COLUMN)).isEqualTo("id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"dataschema\": \"order/2\"}",
                "{\"dataschema\": \"\"}",
                "{\"dataschema\": \"http://a b\"}",
                "{\"datacontenttype\": \"json\"}",
                "{\"datacontenttype\": \"\"}"
            })
    void anAttributeOfTheRowThatIsNoneMakesADeadLetter(String headers) {
        SourceRecord letter = router.refuse(aRow().with("headers", headers), DeadLetterReason.CLOUDEVENT_INVALID);

        assertThat(RouterUnderTest.header(letter, HeaderNames.ERROR_COLUMN)).isEqualTo("headers");
    }

    @Test
    void aChangeThatNamesNoConnectorNeedsASource() {
        router.refuse(aRow().withoutSource(), DeadLetterReason.CLOUDEVENT_INVALID);

        RouterUnderTest own = RouterUnderTest.asShipped("cloudevents.headers", "true", "cloudevents.source", "/shop");
        assertThat(read(own.route(aRow().withoutSource())).getTime()).isNull();
    }

    private @Nullable String contentType(OutboxRow row) {
        return read(router.route(row)).getDataContentType();
    }

    private static CloudEvent read(SourceRecord event) {
        RecordHeaders headers = new RecordHeaders();
        byte[] value;
        try (StringConverter converter = new StringConverter();
                OutboxConverter values = new OutboxConverter()) {
            converter.configure(Map.of(), true);
            values.configure(Map.of(), false);
            event.headers()
                    .forEach(header -> headers.add(
                            header.key(),
                            converter.fromConnectHeader(event.topic(), header.key(), header.schema(), header.value())));
            value = values.fromConnectData(event.topic(), event.valueSchema(), event.value());
        }
        return KafkaMessageFactory.createReader(headers, value).toEvent();
    }
}
