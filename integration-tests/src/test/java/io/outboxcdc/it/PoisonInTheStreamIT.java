package io.outboxcdc.it;

import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ten thousand rows, one in ten of them poison of every kind that the supplied table's types let in once its checks are
 * gone, through the shipped pipeline. What would break: one row that is in no topic, in two, or that stops the rest.
 */
class PoisonInTheStreamIT {

    private static final int ROWS = 10_000;
    private static final int ONE_IN = 10;
    private static final Duration AT_MOST = Duration.ofMinutes(2);
    private static final String DEAD_LETTERS = "outbox.dead-letter";
    private static final long SEED = 4_711;

    private static OutboxPipeline pipeline;
    private static OutboxTable outbox;
    private static Topics topics;

    /** Where a row has to be; a dead letter with its reason. */
    private record Place(String topic, String reason) {

        static Place event(String aggregateType) {
            return new Place("outbox.event." + aggregateType, "");
        }

        static Place deadLetter(String reason) {
            return new Place(DEAD_LETTERS, reason);
        }

        static Place of(ConsumerRecord<byte[], byte[]> record) {
            return new Place(
                    record.topic(),
                    record.topic().equals(DEAD_LETTERS) ? Topics.header(record, "outbox.error.reason") : "");
        }
    }

    private record Poison(String reason, OutboxRow row) {}

    @BeforeAll
    static void start() throws SQLException {
        pipeline = OutboxPipeline.start(TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
        outbox = new OutboxTable(pipeline.stack().postgres());
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
    void everyRowIsInExactlyOneTopicAndEveryPoisonRowHasItsReason() throws SQLException {
        Random random = new Random(SEED);
        List<Poison> kinds = poison();
        Map<UUID, OutboxRow> rows = new LinkedHashMap<>();
        Map<UUID, Place> expected = new HashMap<>();
        for (int i = 0; i < ROWS; i++) {
            UUID id = new UUID(random.nextLong(), random.nextLong());
            if (i % ONE_IN == ONE_IN - 1) {
                Poison poison = kinds.get(i / ONE_IN % kinds.size());
                rows.put(id, poison.row);
                expected.put(id, Place.deadLetter(poison.reason));
            } else {
                OutboxRow row = good(random, i);
                rows.put(id, row);
                expected.put(id, Place.event(String.valueOf(row.aggregateType())));
            }
        }
        outbox.dropAllChecks();

        outbox.insertAll(rows);
        UUID follower = outbox.insert(OutboxRow.of("follower"));

        topics.await("outbox.event.follower", follower, AT_MOST);
        expected.put(follower, Place.event("follower"));
        Map<UUID, List<Place>> found = found();
        Map<UUID, List<Place>> once = new HashMap<>();
        expected.forEach((id, place) -> once.put(id, List.of(place)));
        assertThat(found).containsExactlyInAnyOrderEntriesOf(once);
        assertThat(pipeline.stack().connect().status(OutboxPipeline.CONNECTOR))
                .hasValueSatisfying(status -> assertThat(status.isRunning()).isTrue());
    }

    private static Map<UUID, List<Place>> found() {
        Map<UUID, List<Place>> found = new HashMap<>();
        for (String topic : topics.names()) {
            if (topic.startsWith("outbox.")) {
                for (ConsumerRecord<byte[], byte[]> record : topics.records(topic)) {
                    found.computeIfAbsent(UUID.fromString(Topics.header(record, "id")), id -> new ArrayList<>())
                            .add(Place.of(record));
                }
            }
        }
        return found;
    }

    private static OutboxRow good(Random random, int number) {
        String[] types = {"order", "customer", "invoice", "collides_x"};
        String[] payloads = {
            "{\"n\": " + number + ", \"price\": " + random.nextInt(10_000) + ".10}",
            "[" + number + ", null, {\"a\": []}]",
            "\"text " + number + " \\\"ü€\\\"\"",
            "null",
            "12345678901234567890.123456789"
        };
        String[] headers = {
            "{}",
            "null",
            "{\"tenant\": \"acme\", \"n\": " + number + ", \"nested\": {\"k\": [1, 2]}}",
            "{\"traceparent\": \"not a trace\", \"id\": \"not the id\"}"
        };
        // The first good rows bring every topic into use, so that which of two colliding types came first is known.
        return OutboxRow.of(types[number % types.length])
                .key("k" + random.nextInt(500) + (number % 7 == 0 ? "-größe €" : ""))
                .payload(payloads[random.nextInt(payloads.length)])
                .headers(headers[random.nextInt(headers.length)]);
    }

    private static List<Poison> poison() {
        OutboxRow row = OutboxRow.of("order");
        return List.of(
                new Poison("TYPE_MISSING", row.aggregateType(null)),
                new Poison("TYPE_MISSING", row.aggregateType("")),
                new Poison("TYPE_MISSING", row.aggregateType(" \t")),
                new Poison("TOPIC_ILLEGAL", row.aggregateType("Order Item")),
                new Poison("TOPIC_ILLEGAL", row.aggregateType("a/b")),
                new Poison("TOPIC_ILLEGAL", row.aggregateType("Bestellung-Ärger")),
                new Poison("TOPIC_ILLEGAL", row.aggregateType("..")),
                new Poison("TOPIC_ILLEGAL", row.aggregateType("x".repeat(250))),
                new Poison("TOPIC_COLLIDES", row.aggregateType("collides.x")),
                new Poison("TYPE_NOT_MATCHED", row.aggregateType("x\ny")),
                new Poison("KEY_MISSING", row.key(null)),
                new Poison("KEY_MISSING", row.key("")),
                new Poison("PAYLOAD_MISSING", row.payload(null)),
                new Poison("HEADERS_NOT_OBJECT", row.headers("[1]")),
                new Poison("HEADERS_NOT_OBJECT", row.headers("\"text\"")),
                new Poison("RECORD_TOO_LARGE", row.payload("\"" + "x".repeat(1_100_000) + "\"")),
                new Poison("RECORD_TOO_LARGE", row.headers("{\"big\": \"" + "€".repeat(400_000) + "\"}")));
    }
}
