package io.outboxcdc.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboxcdc.stack.ConnectRest;
import io.outboxcdc.stack.ConnectorStatus;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Set-ups that people have and that we do not ship, on a real worker, all side by side: what reaches the router only there
 * makes no event too many, loses none and stops nothing.
 */
class UnusualSetupsIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String ROUTER = ConnectorVariant.ROUTER;
    private static final String DEAD_LETTERS = "outbox.dead-letter";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static OutboxPipeline pipeline;
    private static OutboxTable database;
    private static Topics topics;

    @BeforeAll
    static void start() {
        pipeline = OutboxPipeline.startWithoutConnector(
                TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
        database = new OutboxTable(pipeline.stack().postgres());
        topics = new Topics(pipeline.stack().bootstrapServers());
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

    /** Publication and connector let every operation through, and tombstones behind deletes. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "t"})
    void onlyInsertsAreEventsWhateverIsCaptured(String skipped) throws SQLException {
        String name = "captured_" + skipped;
        ConnectorVariant everything =
                ConnectorVariant.named(name).with("skipped.operations", skipped).with("tombstones.on.delete", "true");
        everything.createTable(database, "jsonb");
        database.execute("ALTER PUBLICATION " + name + " SET (publish = 'insert, update, delete, truncate')");
        // Kept outside the row, so that an UPDATE of another column does not bring it.
        database.execute("ALTER TABLE public." + name + " ALTER COLUMN payload SET STORAGE EXTERNAL");
        everything.deploy(connect());

        UUID changed = UUID.randomUUID();
        insert(name, changed, "'\"" + "x".repeat(5_000) + "\"'");
        UUID renamed = UUID.randomUUID();
        database.execute("UPDATE public." + name + " SET event_type = 'Changed'");
        database.execute("UPDATE public." + name + " SET id = '" + renamed + "'");
        database.execute("INSERT INTO public." + name + " (id, aggregate_type, aggregate_id, payload) VALUES ('"
                + renamed + "', '" + name + "', '1', '{}') ON CONFLICT (id) DO UPDATE SET event_type = 'Upserted'");
        database.execute("DELETE FROM public." + name);
        UUID filledLater = UUID.randomUUID();
        database.execute(
                "BEGIN; INSERT INTO public." + name + " (id, aggregate_type, aggregate_id) VALUES ('" + filledLater
                        + "', '" + name + "', '1'); UPDATE public." + name + " SET payload = '{\"late\": 1}'; COMMIT");
        database.execute("TRUNCATE public." + name);
        UUID follower = UUID.randomUUID();
        insert(name, follower, "'{}'");

        topics.await("outbox.event." + name, follower, SOON);
        assertThat(topics.idsOf("outbox.event." + name)).containsExactly(changed, follower);
        assertThat(reason(filledLater)).isEqualTo("PAYLOAD_MISSING");
        assertThat(topics.names()).doesNotContain(name + ".public." + name);
        assertRunning(name);
    }

    /** Each in its own topic, as without the router. */
    @Test
    void otherTablesAndTransactionsPassTheRouter() throws SQLException {
        String name = "beside";
        ConnectorVariant beside = ConnectorVariant.named(name)
                .with("table.include.list", "public.beside,public.beside_orders")
                .with("skipped.operations", "none")
                .with("tombstones.on.delete", "true")
                .with("provide.transaction.metadata", "true");
        beside.createTable(database, "jsonb");
        database.execute("CREATE TABLE public.beside_orders (id int PRIMARY KEY, state text)");
        database.execute("ALTER PUBLICATION beside ADD TABLE public.beside_orders");
        database.execute("ALTER PUBLICATION beside SET (publish = 'insert, update, delete')");
        beside.deploy(connect());

        database.execute("INSERT INTO public.beside_orders VALUES (1, 'new')");
        database.execute("UPDATE public.beside_orders SET state = 'paid'");
        database.execute("DELETE FROM public.beside_orders");
        UUID follower = UUID.randomUUID();
        insert(name, follower, "'{}'");

        topics.await("outbox.event.beside", follower, SOON);
        assertThat(topics.idsOf("outbox.event.beside")).containsExactly(follower);
        assertThat(topics.records("beside.public.beside_orders"))
                .extracting(record -> record.value() == null ? "tombstone" : operation(record))
                .containsExactly("c", "u", "d", "tombstone");
        assertThat(topics.records("beside.transaction")).isNotEmpty();
        assertRunning(name);
    }

    /**
     * Five rows are older than the slot's position, and one lies between it and the connector's start: after a snapshot the
     * connector goes on behind it, so that row comes by the snapshot alone.
     */
    @ParameterizedTest
    @CsvSource({"initial, route, 7", "initial, drop, 1", "no_data, route, 2"})
    void aSnapshotPublishesEachRowOnceUnderItsIdWhereThatIsAskedFor(String mode, String events, int published)
            throws SQLException {
        String name = "snapshot_" + mode + "_" + events;
        ConnectorVariant snapshot =
                ConnectorVariant.named(name).with("snapshot.mode", mode).with(ROUTER + "snapshot.events", events);
        snapshot.createTable(database, "jsonb");
        List<UUID> rows = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rows.add(UUID.randomUUID());
            insert(name, rows.get(i), "'{}'");
        }
        database.execute("SELECT pg_replication_slot_advance('" + name + "', pg_current_wal_lsn())");
        rows.add(UUID.randomUUID());
        insert(name, rows.get(5), "'{}'");
        database.execute("GRANT SELECT ON public." + name + " TO outbox_cdc");
        snapshot.deploy(connect());
        // Only then is the snapshot over.
        await().atMost(SOON).until(() -> database.slotIsRead(name));
        rows.add(UUID.randomUUID());
        insert(name, rows.get(6), "'{}'");

        topics.await("outbox.event." + name, rows.get(6), SOON);
        assertThat(topics.idsOf("outbox.event." + name))
                .containsExactlyInAnyOrderElementsOf(rows.subList(rows.size() - published, rows.size()));
    }

    @Test
    void aTimestamptzIsTheTimeOfTheRecord() throws SQLException {
        String name = "timed";
        ConnectorVariant timed =
                ConnectorVariant.named(name).with(ROUTER + "table.field.event.timestamp", "created_at");
        timed.createTable(database, "jsonb");
        database.execute("ALTER TABLE public.timed ALTER COLUMN created_at DROP NOT NULL");
        timed.deploy(connect());
        Map<String, Long> times = new LinkedHashMap<>();
        times.put("2024-01-02 03:04:05.123456+02", 1_704_157_445_123L);
        times.put("2024-01-02 03:04:05+00", 1_704_164_645_000L);
        times.put("2024-01-02 03:04:05.1200+05:30", 1_704_144_845_120L);

        for (Map.Entry<String, Long> time : times.entrySet()) {
            UUID id = insertAt(name, "'" + time.getKey() + "'");
            assertThat(topics.await("outbox.event.timed", id, SOON).timestamp())
                    .as(time.getKey())
                    .isEqualTo(time.getValue());
        }
        long before = System.currentTimeMillis();
        for (String noTime : List.of("NULL", "'infinity'", "'9999-12-31 00:00:00+00'", "'1066-10-14 09:00:00+00'")) {
            UUID id = insertAt(name, noTime);
            assertThat(topics.await("outbox.event.timed", id, SOON).timestamp())
                    .as(noTime)
                    .isBetween(before - SOON.toMillis(), System.currentTimeMillis() + SOON.toMillis());
        }
        assertRunning(name);
    }

    /** {@code jsonb} refuses some of these texts; the other types keep every character. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "text"})
    void aPayloadThatIsNotJsonbKeepsEveryCharacter(String type) throws SQLException {
        String name = "payload_" + type;
        ConnectorVariant variant = ConnectorVariant.named(name);
        variant.createTable(database, type);
        variant.deploy(connect());

        for (String payload : List.of(
                "{\"t\":\"\\u0000\"}",
                "{\"t\":\"\\ud83d\"}",
                " {\"t\" : \"😀 \\u2028 \\\\u0000 C:\\\\new\", \"t\":1.10e1}\n",
                "[]",
                "null",
                "\"\"")) {
            UUID id = UUID.randomUUID();
            insert(name, id, "'" + payload + "'");

            ConsumerRecord<byte[], byte[]> record = topics.await("outbox.event." + name, id, SOON);
            assertThat(new String(record.value(), UTF_8)).isEqualTo(payload);
        }
    }

    /** Connect would then drop, without a word, each record at which something fails. */
    @Test
    void noRowIsLostWhereTheWorkerIsToTolerateErrors() throws SQLException {
        String name = "tolerant";
        ConnectorVariant tolerant = ConnectorVariant.named(name).with("errors.tolerance", "all");
        tolerant.createTable(database, "jsonb");
        tolerant.deploy(connect());
        UUID first = UUID.randomUUID();
        UUID illegal = UUID.randomUUID();
        UUID tooLarge = UUID.randomUUID();
        UUID last = UUID.randomUUID();

        insert(name, first, "'{}'");
        database.execute("INSERT INTO public.tolerant (id, aggregate_type, aggregate_id, payload) VALUES ('" + illegal
                + "', 'a/b', '1', '{}')");
        insert(name, tooLarge, "to_jsonb(repeat('x', 2000000))");
        insert(name, last, "'{}'");

        topics.await("outbox.event.tolerant", last, SOON);
        assertThat(topics.idsOf("outbox.event.tolerant")).containsExactly(first, last);
        assertThat(reason(illegal)).isEqualTo("TOPIC_ILLEGAL");
        assertThat(reason(tooLarge)).isEqualTo("RECORD_TOO_LARGE");
        assertRunning(name);
    }

    private static void insert(String table, UUID id, String payload) throws SQLException {
        database.execute("INSERT INTO public." + table + " (id, aggregate_type, aggregate_id, payload) VALUES ('" + id
                + "', '" + table + "', '1', " + payload + ")");
    }

    private static UUID insertAt(String table, String createdAt) throws SQLException {
        UUID id = UUID.randomUUID();
        database.execute("INSERT INTO public." + table + " (id, aggregate_type, aggregate_id, payload, created_at)"
                + " VALUES ('" + id + "', '" + table + "', '1', '{}', " + createdAt + ")");
        return id;
    }

    private static String operation(ConsumerRecord<byte[], byte[]> change) {
        try {
            return JSON.readTree(change.value()).path("op").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String reason(UUID id) {
        return Topics.header(topics.await(DEAD_LETTERS, id, SOON), "outbox.error.reason");
    }

    private static ConnectRest connect() {
        return pipeline.stack().connect();
    }

    private static void assertRunning(String connector) {
        assertThat(connect().status(connector).map(ConnectorStatus::isRunning)).isEqualTo(Optional.of(true));
    }
}
