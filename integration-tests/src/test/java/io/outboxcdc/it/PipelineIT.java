package io.outboxcdc.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboxcdc.cli.demo.CommitClock;
import io.outboxcdc.cli.demo.DemoSchema;
import io.outboxcdc.cli.demo.EventReader;
import io.outboxcdc.cli.demo.OrderWriters;
import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.client.ledger.Verdict;
import io.outboxcdc.stack.ConnectRest;
import io.outboxcdc.stack.ConnectorPlugin;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The promise, shown on a real PostgreSQL, broker and worker with the configuration that is shipped. What would break:
 * everything.
 */
class PipelineIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration AFTER_A_RESTART = Duration.ofMinutes(2);
    private static final int ROWS_BEFORE_THE_CONNECTOR = 50;
    private static final ObjectMapper JSON = new ObjectMapper();

    private static OutboxPipeline pipeline;
    private static OutboxTable outbox;
    private static Topics topics;
    private static final List<UUID> beforeTheConnector = new ArrayList<>();

    @BeforeAll
    static void start() throws SQLException {
        pipeline = OutboxPipeline.startWithoutConnector(
                TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
        outbox = new OutboxTable(pipeline.stack().postgres());
        for (int i = 0; i < ROWS_BEFORE_THE_CONNECTOR; i++) {
            beforeTheConnector.add(outbox.insert(OutboxRow.of("early").key("e" + i)));
        }
        pipeline.deployConnector();
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

    @Test
    void theWorkerListsOurTransformWithItsVersion() {
        assertThat(pipeline.stack().connect().plugins())
                .filteredOn(plugin -> plugin.className().startsWith("io.outboxcdc"))
                .containsExactlyInAnyOrder(
                        new ConnectorPlugin(
                                "io.outboxcdc.router.OutboxRouter", "transformation", TestHome.projectVersion()),
                        new ConnectorPlugin(
                                "io.outboxcdc.router.OutboxConverter", "converter", TestHome.projectVersion()));
    }

    @Test
    void rowsCommittedBetweenTheSqlAndTheConnectorsFirstStartAllArrive() {
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(topics.idsOf("outbox.event.early")).containsAll(beforeTheConnector));
    }

    @Test
    void aCommittedRowArrivesWithItsKeyItsPayloadAndItsHeaders() throws SQLException {
        String traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        OutboxRow row = OutboxRow.of("shape")
                .key("größe/1")
                .eventType("ShapeDrawn")
                .payload(
                        "{\"amount\": 12345678901234567890.10, \"none\": null, \"list\": [], \"text\": \"ü \\\\u0000\"}")
                .headers("{\"traceparent\": \"%s\", \"tracestate\": \"a=1\", \"baggage\": \"k=v\", \"n\": 0.10}"
                        .formatted(traceparent));

        UUID id = outbox.insert(row);

        ConsumerRecord<byte[], byte[]> record = topics.await("outbox.event.shape", id, SOON);
        assertThat(record.key()).isEqualTo("größe/1".getBytes(UTF_8));
        assertThat(new String(record.value(), UTF_8)).isEqualTo(outbox.payloadText(id));
        assertThat(Topics.headers(record))
                .containsExactlyInAnyOrder(
                        "id=" + id,
                        "eventType=ShapeDrawn",
                        "traceparent=" + traceparent,
                        "tracestate=a=1",
                        "baggage=k=v",
                        "n=0.10");
    }

    @Test
    void aRolledBackTransactionLeavesNoEvent() throws SQLException {
        outbox.insertAndRollBack(OutboxRow.of("rollback").key("1"));
        UUID follower = outbox.insert(OutboxRow.of("rollback").key("1"));

        topics.await("outbox.event.rollback", follower, SOON);
        assertThat(topics.idsOf("outbox.event.rollback")).containsExactly(follower);
    }

    @Test
    void aPoisonRowBecomesADeadLetterAndItsFollowerFlows() throws Exception {
        UUID poison = outbox.insertUnchecked(
                OutboxRow.of("No Topic/Ä").key("p1").payload("{\"kept\": 1.10}").eventType("Poisoned"));
        UUID follower = outbox.insert(OutboxRow.of("poison").key("p1"));

        topics.await("outbox.event.poison", follower, SOON);
        ConsumerRecord<byte[], byte[]> deadLetter = topics.await("outbox.dead-letter", poison, SOON);
        assertThat(deadLetter.key()).isEqualTo("p1".getBytes(UTF_8));
        assertThat(Topics.header(deadLetter, "outbox.error.reason")).matches("[A-Z_]+");
        assertThat(Topics.header(deadLetter, "outbox.error.column")).isEqualTo("aggregate_type");
        JsonNode row = JSON.readTree(deadLetter.value());
        assertThat(row.path("aggregate_type").asText()).isEqualTo("No Topic/Ä");
        assertThat(row.path("payload").asText()).isEqualTo("{\"kept\": 1.10}");
        assertThat(row.path("event_type").asText()).isEqualTo("Poisoned");
        assertThat(topics.names()).noneMatch(name -> name.contains("No Topic"));
        assertThat(pipeline.stack().connect().status(OutboxPipeline.CONNECTOR))
                .hasValueSatisfying(status -> assertThat(status.isRunning()).isTrue());
    }

    @Test
    void aDeadLetterIsSentAgainAsTheDocsSay() throws Exception {
        UUID id = outbox.insertUnchecked(OutboxRow.of("a/b").key("again"));
        topics.await("outbox.dead-letter", id, SOON);
        String page = Files.readString(TestHome.path().resolve("docs/how-to/send-a-dead-letter-again.md"));
        int begin = page.indexOf("WITH again");

        outbox.execute(page.substring(begin, page.indexOf("```", begin)).replace(":'id'", "'" + id + "'"));

        assertThat(topics.await("outbox.event.order", id, SOON).key()).isEqualTo("again".getBytes(UTF_8));
    }

    static Stream<Arguments> poison() {
        OutboxRow good = OutboxRow.of("poison").key("p2");
        return Stream.of(
                Arguments.of("TYPE_MISSING", good.aggregateType("   ")),
                Arguments.of("TOPIC_ILLEGAL", good.aggregateType("a/b")),
                Arguments.of("TOPIC_ILLEGAL", good.aggregateType("..")),
                Arguments.of("TYPE_NOT_MATCHED", good.aggregateType("x\ny")),
                Arguments.of("TOPIC_ILLEGAL", good.aggregateType("x".repeat(250))),
                Arguments.of("TOPIC_COLLIDES", good.aggregateType("poison.x")),
                Arguments.of("KEY_MISSING", good.key(" ")),
                Arguments.of("HEADERS_NOT_OBJECT", good.headers("[1]")),
                Arguments.of(
                        "RECORD_TOO_LARGE",
                        good.payload("\"" + "x".repeat(700_000) + "\"").headers(manyHeaders())),
                Arguments.of("RECORD_TOO_LARGE", good.payload("\"" + "x".repeat(2_000_000) + "\"")));
    }

    /** With the payload beside them more than the producer takes, though names and values alone are less. */
    private static String manyHeaders() {
        return IntStream.range(0, 27_000)
                .mapToObj(number -> "\"h" + number + "\":\"abcd\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Test
    void nobodyElsesMessagesStopOrEnterThePipeline() throws SQLException {
        outbox.execute("SELECT pg_logical_emit_message(true, 'outbox', repeat('x', 2000000))");
        outbox.execute("SELECT pg_logical_emit_message(false, 'outbox', 'small')");
        UUID follower = outbox.insert(OutboxRow.of("messages"));

        topics.await("outbox.event.messages", follower, SOON);
        assertThat(topics.names()).noneMatch(name -> name.endsWith(".message"));
    }

    @Test
    void aNumberThatIsNoneInAnotherColumnStopsNothing() throws SQLException {
        outbox.execute("ALTER TABLE public.outbox ADD COLUMN extra numeric");
        outbox.execute("ALTER PUBLICATION outbox SET TABLE public.outbox");
        try {
            outbox.execute("""
                    INSERT INTO public.outbox (id, aggregate_type, aggregate_id, payload, extra)
                    VALUES (gen_random_uuid(), 'numeric', '1', '{}', 'NaN')""");
            UUID follower = outbox.insert(OutboxRow.of("numeric"));

            topics.await("outbox.event.numeric", follower, SOON);
            assertThat(topics.idsOf("outbox.event.numeric")).hasSize(2);
        } finally {
            outbox.execute("""
                    ALTER PUBLICATION outbox SET TABLE
                        public.outbox (id, aggregate_type, aggregate_id, event_type, payload, headers)""");
            outbox.execute("ALTER TABLE public.outbox DROP COLUMN extra");
        }
    }

    @ParameterizedTest
    @MethodSource("poison")
    void everyKindOfPoisonRowIsADeadLetterWithItsReason(String reason, OutboxRow row) throws SQLException {
        outbox.insert(OutboxRow.of("poison_x"));
        UUID poison = outbox.insertUnchecked(row);
        UUID follower = outbox.insert(OutboxRow.of("poison").key("p2"));

        topics.await("outbox.event.poison", follower, SOON);
        ConsumerRecord<byte[], byte[]> deadLetter = topics.await("outbox.dead-letter", poison, SOON);
        assertThat(Topics.header(deadLetter, "outbox.error.reason")).isEqualTo(reason);
        assertThat(topics.idsOf("outbox.event.poison")).doesNotContain(poison);
    }

    @Test
    void heartbeatsMoveTheSlotWhileTheOutboxIsQuiet() throws SQLException {
        outbox.writeElsewhere();
        String position = outbox.walPosition();

        awaitConfirmed(position);
        assertThat(topics.records("__debezium-heartbeat.outbox")).isNotEmpty();
        assertThat(topics.names()).noneMatch(name -> name.endsWith(".message"));
    }

    @Test
    void aRestartedConnectorMovesTheSlotThoughNoEventComes() throws SQLException {
        Map<String, String> config = ConnectorVariant.shipped("outbox-connector.json");
        for (int round = 0; round < 4; round++) {
            outbox.insert(OutboxRow.of("quiet"));
            awaitConfirmed(outbox.walPosition());

            config.put("heartbeat.interval.ms", Integer.toString(1000 + round % 2));
            pipeline.stack().connect().put(OutboxPipeline.CONNECTOR, ConnectorVariant.json(config));
            outbox.writeElsewhere();

            awaitConfirmed(outbox.walPosition());
        }
    }

    /** Connect makes the transforms before the producer, and leaves what they registered when that fails. */
    @Test
    void aConfigurationThatCannotStartIsMendedByTheNextOne() throws SQLException {
        Map<String, String> good = ConnectorVariant.shipped("outbox-connector.json");
        Map<String, String> wrong = new HashMap<>(good);
        wrong.put("producer.override.compression.type", "zip");
        ConnectRest connect = pipeline.stack().connect();

        for (int round = 0; round < 2; round++) {
            connect.put(OutboxPipeline.CONNECTOR, ConnectorVariant.json(wrong));
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(connect.status(OutboxPipeline.CONNECTOR)
                                    .orElseThrow()
                                    .tasks())
                            .singleElement()
                            .satisfies(task -> assertThat(task.state()).isEqualTo("FAILED")));
            connect.put(OutboxPipeline.CONNECTOR, ConnectorVariant.json(good));
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(connect.status(OutboxPipeline.CONNECTOR)
                                    .orElseThrow()
                                    .isRunning())
                            .isTrue());
        }

        UUID id = outbox.insert(OutboxRow.of("mended"));
        topics.await("outbox.event.mended", id, SOON);
    }

    private static void awaitConfirmed(String position) {
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(outbox.slotHasConfirmed(position)).isTrue());
    }

    @Test
    void theOrderOfAnAggregateHoldsUnderConcurrentWriters() throws Exception {
        assertThat(writeOrders(2_000, () -> {})).isEqualTo(new Verdict(2_000, 0, 0, 0, 0, 0));
    }

    @Test
    void aKilledWorkerLosesAndRepeatsNothing() throws Exception {
        Verdict verdict = writeOrders(5_000, () -> {
            pipeline.stack().connectProcess().kill();
            pipeline.stack().connectProcess().start();
        });

        assertThat(verdict).isEqualTo(new Verdict(5_000, 0, 0, 0, 0, 0));
    }

    /** Writers and a read_committed reader at once; the fault happens when a part of the events has arrived. */
    private static Verdict writeOrders(int events, Runnable fault) throws Exception {
        Ledger ledger = new Ledger();
        try (DemoSchema schema = DemoSchema.create(pipeline.stack().postgres());
                EventReader reader = EventReader.start(
                        pipeline.stack().bootstrapServers(),
                        event -> event.id()
                                .ifPresent(
                                        event.deadLetterReason().isPresent()
                                                ? ledger::seenAsDeadLetter
                                                : ledger::seen));
                OrderWriters writers =
                        OrderWriters.start(pipeline.stack().postgres(), ledger, new CommitClock(), events, 1_000)) {
            await().atMost(SOON).until(() -> ledger.verdict().committed() - ledger.outstanding() > events / 10);
            fault.run();
            assertThat(writers.await(AFTER_A_RESTART)).isTrue();
            await().atMost(AFTER_A_RESTART).until(() -> ledger.outstanding() == 0);
            assertThat(reader.awaitCaughtUp(SOON)).isTrue();
        }
        return ledger.verdict();
    }
}
