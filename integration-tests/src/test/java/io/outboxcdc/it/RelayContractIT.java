package io.outboxcdc.it;

import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import io.outboxcdc.stack.sql.OutboxSql;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The same rows, published by the shipped connector and then by the relay. What would break: consumers that notice which of
 * the two is at work.
 */
class RelayContractIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @TempDir
    private static Path folder;

    private static OutboxPipeline pipeline;

    private static OutboxTable outbox;
    private static Topics topics;

    @SuppressWarnings("NullAway.Init") // before all tests
    RelayContractIT() {}

    @BeforeAll
    static void start() throws Exception {
        pipeline = OutboxPipeline.start(TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
        outbox = new OutboxTable(pipeline.stack().postgres());
        topics = new Topics(pipeline.stack());
        try (Connection connection = pipeline.stack().postgres().connect()) {
            OutboxSql.inFolder(TestHome.path().resolve("sql"))
                    .with("outbox.polling", "on")
                    .applyTo(connection);
        }
        RelayStack.letRelayLogIn(pipeline.stack().postgres());
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

    /** A record as far as both have it: not its time of capture, and not its place in a log that one of them does not read. */
    private record Seen(String topic, int partition, String key, String value, List<String> headers) {

        static Seen of(ConsumerRecord<byte[], byte[]> record) {
            return new Seen(
                    record.topic(),
                    record.partition(),
                    Arrays.toString(record.key()),
                    Arrays.toString(record.value()),
                    Topics.headers(record).stream()
                            .filter(header -> !header.startsWith("outbox.source."))
                            .sorted()
                            .toList());
        }
    }

    @Test
    void bothPublishTheSameRecordsAndTheSameDeadLetters() throws Exception {
        Map<UUID, String> expected = new LinkedHashMap<>();
        for (OutboxRow row : events()) {
            expected.put(outbox.insert(row), "outbox.event." + row.aggregateType());
        }
        for (OutboxRow row : poison()) {
            expected.put(outbox.insertUnchecked(row), "outbox.dead-letter");
        }
        Map<UUID, Seen> byTheConnector = new LinkedHashMap<>();
        for (Map.Entry<UUID, String> row : expected.entrySet()) {
            byTheConnector.put(row.getKey(), Seen.of(topics.await(row.getValue(), row.getKey(), SOON)));
        }
        pipeline.stack().connect().delete(OutboxPipeline.CONNECTOR);
        // The rows that are no legal events would not pass it.
        outbox.execute("ALTER TABLE outbox DROP CONSTRAINT outbox_event_legal");
        outbox.execute("UPDATE outbox SET published_at = NULL");

        try (RelayProcess relay = RelayProcess.start(
                folder,
                "relay",
                RelayStack.jdbcUrl(pipeline.stack().postgres()),
                pipeline.stack().bootstrapServers(),
                Map.of())) {
            relay.awaitReady();
            for (Map.Entry<UUID, String> row : expected.entrySet()) {
                assertThat(second(row.getValue(), row.getKey()))
                        .as("row %s", row.getKey())
                        .isEqualTo(byTheConnector.get(row.getKey()));
            }
            assertThat(relay.metric("outbox_relay_published_total")).isEqualTo(expected.size());
            assertThat(relay.metric("outbox_relay_dead_letters_total")).isEqualTo(poison().size());
        }
    }

    private static List<OutboxRow> events() {
        OutboxRow plain = OutboxRow.of("plain");
        List<OutboxRow> rows = new ArrayList<>();
        for (int key = 0; key < 20; key++) {
            rows.add(plain.key("k" + key));
        }
        rows.addAll(List.of(
                plain.key("größe/1").eventType("ShapeDrawn"),
                plain.payload("{\"amount\": 12345678901234567890.10, \"none\": null, \"list\": [], \"e\": 1e3}"),
                plain.payload("[1, 2.50, \"x\", null, [[]]]"),
                plain.payload("null"),
                plain.payload("\"text \\\\u0000 ü 😀 \\u2028\""),
                plain.payload("\"" + "x".repeat(300_000) + "\""),
                plain.headers("null"),
                plain.headers("{\"tenant\": \"acme\", \"n\": 42, \"d\": 0.10, \"b\": true, \"none\": null,"
                        + " \"o\": {\"k\": [1, 2]}, \"ü\": \"é\", \"empty\": \"\", \"id\": \"mine\"}"),
                plain.headers("{\"traceparent\": \"" + TRACE + "\", \"tracestate\": \"a=1\", \"baggage\": \"k=v\"}"),
                plain.headers("{\"traceparent\": \"00-0-0-00\", \"tracestate\": \"a=1\"}"),
                OutboxRow.of("Other_type-1.x")));
        return rows;
    }

    private static List<OutboxRow> poison() {
        OutboxRow poison = OutboxRow.of("poison").key("p");
        return List.of(
                poison.aggregateType("No Topic/Ä").payload("{\"kept\": 1.10}"),
                poison.aggregateType(".."),
                poison.aggregateType("x\ny"),
                poison.aggregateType("x".repeat(250)),
                poison.key("  "),
                poison.headers("[1]"),
                poison.payload(null),
                poison.payload("\"" + "x".repeat(2_000_000) + "\""));
    }

    /** The record of a row that came after the connector's. */
    private static Seen second(String topic, UUID id) {
        return Seen.of(await(topic + " has " + id + " twice")
                .atMost(SOON)
                .until(
                        () -> topics.records(topic).stream()
                                .filter(record -> Topics.header(record, "id").equals(id.toString()))
                                .toList(),
                        found -> found.size() == 2)
                .get(1));
    }
}
