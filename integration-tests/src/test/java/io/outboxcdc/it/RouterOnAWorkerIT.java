package io.outboxcdc.it;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.outboxcdc.stack.ConfigCheck;
import io.outboxcdc.stack.ConnectRest;
import io.outboxcdc.stack.ConnectorStatus;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StackException;
import io.outboxcdc.stack.StartupProgress;
import io.outboxcdc.stack.sql.OutboxSql;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** The router's options on a real worker, each in the configuration that shows it, all side by side. */
class RouterOnAWorkerIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration AFTER_A_RESTART = Duration.ofMinutes(2);
    private static final String ROUTER = ConnectorVariant.ROUTER;
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static OutboxPipeline pipeline;
    private static OutboxTable outbox;
    private static Topics topics;

    @BeforeAll
    static void start() throws SQLException {
        pipeline = OutboxPipeline.startWithoutConnector(
                TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
        outbox = new OutboxTable(pipeline.stack().postgres());
        try (Connection connection = pipeline.stack().postgres().connect()) {
            OutboxSql.inFolder(TestHome.path().resolve("sql"))
                    .with("outbox.table_free", "on")
                    .applyTo(connection);
        }
        connect()
                .put(
                        OutboxPipeline.CONNECTOR,
                        ConnectorVariant.json(ConnectorVariant.shipped("outbox-connector-table-free.json")));
        connect().awaitRunning(OutboxPipeline.CONNECTOR, SOON);
        topics = new Topics(pipeline.stack());
    }

    @AfterAll
    static void stop() {
        if (topics != null) {
            topics.close();
        }
        if (pipeline != null) {
            pipeline.close();
        }
    }

    private static ConnectRest connect() {
        return pipeline.stack().connect();
    }

    @Test
    void validationShowsEveryProblemButUnknownNames() {
        String config = ConnectorVariant.named("checked")
                .with(ROUTER + "route.topic.regex", "([")
                .with(ROUTER + "table.fields.additional.placement", "event_type:heder")
                .with(ROUTER + "on.invalid.event", "skip")
                .with(ROUTER + "max.record.bytes", "1MB")
                .with(ROUTER + "cloudevents.headers", "true")
                .with(ROUTER + "event.type.header", "ce_type")
                .with(ROUTER + "tabel.field.event.key", "x")
                .json();

        ConfigCheck check = connect().validate("checked", config);

        assertThat(check.problems())
                .containsOnlyKeys(
                        ROUTER + "route.topic.regex",
                        ROUTER + "table.fields.additional.placement",
                        ROUTER + "on.invalid.event",
                        ROUTER + "max.record.bytes",
                        ROUTER + "event.type.header");
        assertThat(check.problems().get(ROUTER + "on.invalid.event"))
                .singleElement()
                .asString()
                .contains("skip", "dead-letter, fail");
        assertThat(check.knownKeys())
                .contains(ROUTER + "table.field.event.key", ROUTER + "message.prefix")
                .doesNotContain(ROUTER + "tabel.field.event.key");
        assertThatThrownBy(() -> connect().put("checked", config)).isInstanceOf(StackException.class);
    }

    @Test
    void unknownNamesStopTheTaskAllInOneErrorWithTheNearestNames() {
        ConnectorVariant misspelt = ConnectorVariant.named("misspelt")
                .with(ROUTER + "tabel.field.event.key", "s3cret")
                .with(ROUTER + "route.topic.allowlist", "x")
                .with(ROUTER + "something.else", "y");

        assertThatThrownBy(() -> misspelt.deploy(connect()))
                .hasMessageContaining("3 options are wrong")
                .hasMessageContaining("tabel.field.event.key")
                .hasMessageContaining("did you mean table.field.event.key?")
                .hasMessageContaining("did you mean route.topic.allow.list?")
                .hasMessageContaining("something.else")
                .hasMessageNotContaining("s3cret");
        connect().delete("misspelt");
    }

    @Test
    void whatTheRouterCountsIsSeenOverJmx() throws Exception {
        try (WorkerMetrics metrics = WorkerMetrics.of(pipeline.stack().connectProcess())) {
            long published = metric(metrics, "", "published-total");
            long illegal = metric(metrics, ",reason=TOPIC_ILLEGAL", "dead-letter-total");
            long collisions = metric(metrics, "", "header-collision-total");
            assertThat(metric(metrics, ",rule=snapshot", "dropped-total")).isZero();

            outbox.insertUnchecked(OutboxRow.of("no/topic"));
            outbox.insert(OutboxRow.of("counted").headers("{\"ID\": \"x\"}"));

            await().atMost(SOON).untilAsserted(() -> {
                assertThat(metric(metrics, "", "published-total")).isGreaterThan(published);
                assertThat(metric(metrics, ",reason=TOPIC_ILLEGAL", "dead-letter-total"))
                        .isEqualTo(illegal + 1);
                assertThat(metric(metrics, "", "header-collision-total")).isEqualTo(collisions + 1);
            });
        }
    }

    private static long metric(WorkerMetrics metrics, String tags, String attribute) throws Exception {
        return (Long) metrics.ofTransform(OutboxPipeline.CONNECTOR, tags, attribute)
                .orElseThrow(() -> new AssertionError("no MBean for " + attribute + tags));
    }

    @Test
    void aMessageGivesTheSameRecordAsARowOfTheOutbox() throws SQLException {
        String headers =
                "{\"tenant\": 0.10, \"traceparent\": \"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}";
        for (String payload : List.of("{\"n\": 12345678901234567890.10, \"l\": []}", "[1, null]", "\"ü\"", "null")) {
            UUID row = outbox.insert(OutboxRow.of("same").payload(payload).headers(headers));
            UUID message = emit("same", payload, headers);

            ConsumerRecord<byte[], byte[]> fromRow = topics.await("outbox.event.same", row, SOON);
            ConsumerRecord<byte[], byte[]> fromMessage = topics.await("outbox.event.same", message, SOON);
            assertThat(fromMessage.key()).isEqualTo(fromRow.key());
            assertThat(fromMessage.value()).isEqualTo(fromRow.value());
            assertThat(fromMessage.partition()).isEqualTo(fromRow.partition());
            assertThat(Topics.headers(fromMessage).stream().map(text -> text.replace(message.toString(), "?")))
                    .containsExactlyElementsOf(Topics.headers(fromRow).stream()
                            .map(text -> text.replace(row.toString(), "?"))
                            .toList());
        }
        assertThat(topics.names()).noneMatch(name -> name.endsWith(".message"));
    }

    @Test
    void messagesAndRowsOfATransactionComeInTheirOrderAndNoneWhenItRollsBack() throws SQLException {
        outbox.execute("BEGIN; SELECT outbox_emit('mixed', '1', 'gone', '{}'); ROLLBACK");
        outbox.execute("""
                BEGIN;
                SELECT outbox_emit('mixed', '1', 'first', '{}');
                INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload)
                    VALUES (gen_random_uuid(), 'mixed', '1', 'second', '{}');
                SELECT outbox_emit('mixed', '1', 'third', '{}');
                COMMIT""");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(topics.records("outbox.event.mixed"))
                        .extracting(record -> Topics.header(record, "eventType"))
                        .containsExactly("first", "second", "third"));
    }

    @Test
    void aMessageThatIsNoEventIsADeadLetterAndItsFollowerFlows() throws SQLException {
        UUID outside = UUID.randomUUID();
        outbox.execute("SELECT pg_logical_emit_message(true, 'outbox', 'hi')");
        outbox.execute("SELECT pg_logical_emit_message(false, 'outbox', '{\"id\": \"" + outside
                + "\", \"aggregate_type\": \"a\", \"aggregate_id\": \"1\", \"payload\": {}}')");
        UUID follower = emit("follower", "{}", "{}");

        topics.await("outbox.event.follower", follower, SOON);
        assertThat(Topics.header(topics.await("outbox.dead-letter", outside, SOON), "outbox.error.reason"))
                .isEqualTo("MESSAGE_NOT_TRANSACTIONAL");
        assertThat(topics.records("outbox.dead-letter")).anySatisfy(letter -> {
            assertThat(Topics.header(letter, "outbox.error.reason")).isEqualTo("MESSAGE_INVALID");
            assertThat(new String(letter.value(), UTF_8)).isEqualTo("{\"content\":\"hi\"}");
        });
        assertRunning(OutboxPipeline.CONNECTOR);
    }

    @Test
    void messagesArriveOnceThoughTheWorkerIsKilled() throws SQLException {
        List<UUID> emitted = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            emitted.add(emit("killed", "{\"n\": " + i + "}", "{}"));
            if (i == 200) {
                pipeline.stack().connectProcess().kill();
            }
        }
        pipeline.stack().connectProcess().start();

        topics.await("outbox.event.killed", emitted.get(399), AFTER_A_RESTART);
        assertThat(topics.idsOf("outbox.event.killed")).containsExactlyElementsOf(emitted);
    }

    @Test
    void anExpandedPayloadIsWrittenWithItsSchema() throws Exception {
        ConnectorVariant expanded = ConnectorVariant.named("expanded")
                .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("value.converter.schemas.enable", "true")
                .with("value.converter.decimal.format", "NUMERIC")
                .with(ROUTER + "table.expand.json.payload", "true")
                .with(ROUTER + "table.fields.additional.placement", "event_type:envelope:eventType");
        expanded.createTable(outbox, "jsonb");
        expanded.deploy(connect());
        String payload =
                "{\"price\": 1.10, \"list\": [{\"a\": 1}, {\"a\": 3000000000}], \"none\": null, \"empty\": []}";

        UUID id = insert("expanded", "'" + payload + "'", "NULL");
        UUID mixed = insert("expanded", "'[1, \"x\"]'", "NULL");

        JsonNode value =
                JSON.readTree(topics.await("outbox.event.expanded", id, SOON).value());
        assertThat(value.at("/payload/payload")).isEqualTo(JSON.readTree(payload));
        assertThat(value.at("/payload/eventType").textValue()).isEqualTo("Happened");
        assertThat(value.at("/schema/name").textValue()).isEqualTo("expanded.public.expanded.expanded.Value");
        assertThat(Topics.header(topics.await("outbox.dead-letter", mixed, SOON), "outbox.error.reason"))
                .isEqualTo("NOT_EXPRESSIBLE");
        assertRunning("expanded");
    }

    @Test
    void bytesBesideHeartbeatsAreTheDataOfCloudEvents() throws SQLException {
        ConnectorVariant bytes = ConnectorVariant.named("bytes").with(ROUTER + "cloudevents.headers", "true");
        bytes.createTable(outbox, "bytea");
        bytes.deploy(connect());
        await().atMost(SOON)
                .until(() -> !topics.records("__debezium-heartbeat.bytes").isEmpty());
        byte[] every = new byte[256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        String attributes =
                "'{\"schemaVersion\": \"2\", \"dataschema\": \"https://schemas.example/order/2\", \"datacontenttype\": \"application/avro\"}'";

        for (byte[] payload : List.of(every, new byte[0], new byte[] {0, 0, 0, 0, 1, 10})) {
            UUID id = insert("bytes", "'\\x" + HexFormat.of().formatHex(payload) + "'", attributes);

            ConsumerRecord<byte[], byte[]> record = topics.await("outbox.event.bytes", id, SOON);
            assertThat(record.value()).isEqualTo(payload);
            assertThat(Topics.header(record, "schemaVersion")).isEqualTo("2");
            assertThat(Topics.header(record, "ce_id")).isEqualTo(id.toString());
            CloudEvent event = KafkaMessageFactory.createReader(record.headers(), record.value())
                    .toEvent();
            assertThat(event.getId()).isEqualTo(id.toString());
            assertThat(event.getSource()).isEqualTo(URI.create("/bytes"));
            assertThat(event.getType()).isEqualTo("Happened");
            assertThat(event.getSubject()).isEqualTo("1");
            assertThat(event.getTime()).isNotNull();
            assertThat(event.getDataSchema()).isEqualTo(URI.create("https://schemas.example/order/2"));
            assertThat(event.getDataContentType()).isEqualTo("application/avro");
            assertThat(event.getExtension("sequence")).asString().matches("[0-9A-F]{16}-[0-9A-F]{16}");
            // The SDK takes a value of no bytes for no data.
            assertThat(event.getData() == null ? new byte[0] : event.getData().toBytes())
                    .isEqualTo(payload);
        }
        int heartbeats = topics.records("__debezium-heartbeat.bytes").size();
        await().atMost(SOON)
                .until(() -> topics.records("__debezium-heartbeat.bytes").size() > heartbeats);
        assertRunning("bytes");
    }

    /** As bytes on the wire. */
    @Test
    void headersAreTheirTextAndNothingElse() throws SQLException {
        UUID id = outbox.insert(OutboxRow.of("wire")
                .headers("{\"tenant\": \"acme\", \"n\": 42, \"d\": 0.10, \"b\": true, \"none\": null,"
                        + " \"o\": {\"k\": [1, 2]}, \"ü\": \"é\", \"empty\": \"\"}"));

        ConsumerRecord<byte[], byte[]> record = topics.await("outbox.event.wire", id, SOON);
        Map<String, String> expected = Map.of(
                "id", id.toString(),
                "eventType", "Happened",
                "tenant", "acme",
                "n", "42",
                "d", "0.10",
                "b", "true",
                "o", "{\"k\":[1,2]}",
                "ü", "é",
                "empty", "");
        assertThat(record.headers()).hasSize(expected.size());
        expected.forEach((name, text) ->
                assertThat(record.headers().lastHeader(name).value()).as(name).isEqualTo(text.getBytes(UTF_8)));
    }

    private static UUID emit(String type, String payload, String headers) throws SQLException {
        UUID id = UUID.randomUUID();
        outbox.execute(
                "SELECT outbox_emit('%s', '1', 'Happened', '%s', '%s', '%s')".formatted(type, payload, headers, id));
        return id;
    }

    private static UUID insert(String table, String payload, String headers) throws SQLException {
        UUID id = UUID.randomUUID();
        outbox.execute("INSERT INTO public.%s (id, aggregate_type, aggregate_id, event_type, payload, headers)"
                        .formatted(table)
                + " VALUES ('%s', '%s', '1', 'Happened', %s, %s)".formatted(id, table, payload, headers));
        return id;
    }

    private static void assertRunning(String connector) {
        assertThat(connect().status(connector).map(ConnectorStatus::isRunning)).isEqualTo(Optional.of(true));
    }
}
