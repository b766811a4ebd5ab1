package io.outboxcdc.it.sql;

import io.outboxcdc.client.outbox.InvalidEventException;
import io.outboxcdc.client.outbox.Outbox;
import io.outboxcdc.client.outbox.OutboxEvent;
import io.outboxcdc.client.outbox.OutboxWriteException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The Java writer, in the role that applications have. */
@ParameterizedClass
@EnumSource
class OutboxWriterIT {
    private static final Outbox OUTBOX = Outbox.create();

    private static final OutboxEvent EVENT = OutboxEvent.of("order", "42").withPayloadText("{}");

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    OutboxWriterIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void applyScripts() throws SQLException {
        database = databases.create(version);
        database.apply();
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop");
    }

    private Connection begin(String... parameters) throws SQLException {
        Connection connection = DriverManager.getConnection(database.url("shop") + "&" + String.join("&", parameters));
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void anEventIsAllThatWasGiven() throws SQLException {
        record Order(String number, BigDecimal total, List<Integer> lines) {}

        UUID id;
        try (Connection connection = begin()) {
            id = OUTBOX.append(
                    connection,
                    OutboxEvent.of("order", "größe/1")
                            .withEventType("OrderPlaced")
                            .withPayload(new Order("42", new BigDecimal("1.10"), List.of()))
                            .withHeader("tenant", "a\"c\\me\n")
                            .withHeader("n", 1.5));
            connection.commit();
        }

        assertThat(id.version()).isEqualTo(7);
        assertThat(database.one("SELECT to_jsonb(o) - 'created_at' = jsonb_build_object('id', '" + id + "',"
                        + " 'aggregate_type', 'order', 'aggregate_id', 'größe/1', 'event_type', 'OrderPlaced',"
                        + " 'payload', '{\"number\":\"42\",\"total\":1.10,\"lines\":[]}'::jsonb,"
                        + " 'headers', '{\"tenant\":\"a\\\"c\\\\me\\n\",\"n\":1.5}'::jsonb) FROM outbox o"))
                .isEqualTo("t");
    }

    @Test
    void anEventLivesAndDiesWithTheTransactionOfTheChange() throws SQLException {
        try (Connection connection = begin()) {
            OUTBOX.append(connection, EVENT);
            connection.rollback();
            OUTBOX.append(connection, EVENT);
            connection.commit();
        }

        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    @Test
    void autoCommitIsRefusedSinceTheEventWouldBeCommittedApart() throws SQLException {
        try (Connection connection = database.connect("shop")) {
            assertThatThrownBy(() -> OUTBOX.append(connection, EVENT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit")
                    .hasMessageContaining("Begin a transaction");
        }
        assertThat(database.insertsInSlot()).isZero();
    }

    @Test
    void aBatchKeepsItsOrderAndBringsItsOwnIds() throws SQLException {
        UUID given = UUID.fromString("00000000-0000-4000-8000-000000000001");
        List<OutboxEvent> events = IntStream.range(0, 1_000)
                .mapToObj(i -> OutboxEvent.of("order", "42").withPayloadText("{\"n\":" + i + "}"))
                .map(event -> event.payload().toString().contains(":500}") ? event.withId(given) : event)
                .toList();

        List<UUID> ids;
        try (Connection connection = begin()) {
            ids = OUTBOX.append(connection, events);
            assertThat(OUTBOX.append(connection, List.of())).isEmpty();
            connection.commit();
        }

        assertThat(ids).hasSize(1_000).doesNotHaveDuplicates();
        assertThat(ids.get(500)).isEqualTo(given);
        assertThat(ids.stream().filter(id -> !id.equals(given)).map(UUID::toString))
                .isSorted();
        // Physical order is the order of insertion in a fresh table, and that is the order in the WAL.
        assertThat(database.query("SELECT id FROM outbox ORDER BY ctid"))
                .isEqualTo(ids.stream().map(UUID::toString).toList());
        assertThat(database.query("SELECT payload ->> 'n' FROM outbox ORDER BY ctid"))
                .isEqualTo(IntStream.range(0, 1_000).mapToObj(Integer::toString).toList());
    }

    @Test
    void theDriverRewritesABatchIntoFewStatements() throws SQLException {
        database.run(
                "CREATE TABLE statements (n int)",
                "CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS"
                        + " 'BEGIN INSERT INTO statements VALUES (1); RETURN NULL; END'",
                "CREATE TRIGGER count_statement AFTER INSERT ON outbox EXECUTE FUNCTION count_statement()");
        List<OutboxEvent> events = IntStream.range(0, 1_000)
                .mapToObj(i -> i % 2 == 0 ? EVENT : EVENT.withEventType("x").withHeader("h", i))
                .toList();

        try (Connection connection = begin("reWriteBatchedInserts=true")) {
            assertThat(OUTBOX.append(connection, events)).hasSize(1_000);
            connection.commit();
        }

        assertThat(database.one("SELECT count(*) < 20 FROM statements")).isEqualTo("t");
        assertThat(database.insertsInSlot()).isEqualTo(1_000);
    }

    @Test
    void oneBadEventKeepsTheWholeBatchOutAndTheTransactionGoesOn() throws SQLException {
        try (Connection connection = begin()) {
            assertThatThrownBy(() -> OUTBOX.append(
                            connection,
                            List.of(EVENT, OutboxEvent.of("a b", "1").withPayloadText("{}"))))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageStartingWith(
                            "Event 2 of aggregate a b '1': the aggregate type 'a b' makes no topic name");
            OUTBOX.append(connection, EVENT);
            connection.commit();
        }
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    /** Whatever the checks take, the table takes; what the table refuses, the checks refuse or the error names. */
    @Test
    void whatOnlyTheDatabaseRefusesIsSaidWithoutThePayload() throws SQLException {
        List<OutboxEvent> refused = List.of(
                EVENT.withPayloadText("{\"secret\":"),
                EVENT.withPayloadText("{\"secret\": \"\\u0000\"}"),
                EVENT.withPayloadText("{\"secret\": \"\\ud83d\"}"),
                OutboxEvent.of("order", "42").withHeader("secret", "secret"));
        for (OutboxEvent event : refused) {
            for (List<OutboxEvent> events : List.of(List.of(event), List.of(EVENT, event))) {
                try (Connection connection = begin()) {
                    assertThatThrownBy(() -> OUTBOX.append(connection, events))
                            .isInstanceOfSatisfying(
                                    OutboxWriteException.class,
                                    e -> assertThat(e.getSQLState()).matches("22...|23514"))
                            .hasMessageStartingWith("Table public.outbox did not take the events ")
                            .hasMessageNotContaining("secret")
                            .hasNoCause();
                    connection.rollback();
                }
            }
        }
        assertThat(database.insertsInSlot()).isZero();
    }

    @Test
    void anIdIsTakenOnce() throws SQLException {
        OutboxEvent named = EVENT.withId(UUID.randomUUID());
        try (Connection connection = begin()) {
            OUTBOX.append(connection, named);
            connection.commit();
            assertThatThrownBy(() -> OUTBOX.append(connection, named))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining(named.id().orElseThrow().toString())
                    .hasMessageContaining("outbox_pkey")
                    .hasMessageContaining("23505");
        }
    }

    @Test
    void theSizeIsEstimatedAsJsonbPrintsIt() throws SQLException {
        for (String json : List.of(
                "{\"a\" : 1,\n\"b\":[1,2 , 3], \"c\":{\"d\":\"a,b:c \\\" \\\\\"}}",
                "{\"ü\":\"😀€\",\"n\":[],\"o\":{}}",
                "[ true , null,-1.50]")) {
            long printed = Long.parseLong(database.one("SELECT octet_length((" + quoted(json)
                    + "::jsonb)::text) + length('42') + length('id') + 36 + 10"));
            Outbox exact = Outbox.builder().maxRecordBytes((int) printed).build();
            Outbox oneLess = Outbox.builder().maxRecordBytes((int) printed - 1).build();
            OutboxEvent event = OutboxEvent.of("order", "42").withPayloadText(json);
            try (Connection connection = begin()) {
                exact.append(connection, event);
                assertThatThrownBy(() -> oneLess.append(connection, event))
                        .isInstanceOf(InvalidEventException.class)
                        .hasMessageContaining("about " + printed + " bytes");
            }
        }
    }

    @Test
    void everyTypeOfThePayloadColumnIsServed() throws SQLException {
        Map<String, OutboxEvent> byType = Map.of(
                "json", EVENT.withPayloadText("{\"a\":  1}"),
                "text", EVENT.withPayloadText("any text"),
                "bytea", OutboxEvent.of("order", "42").withPayloadBytes("bytes".getBytes(StandardCharsets.UTF_8)));
        for (Map.Entry<String, OutboxEvent> entry : byType.entrySet()) {
            String table = "outbox_" + entry.getKey();
            database.run(
                    "CREATE TABLE " + table + " (LIKE outbox INCLUDING DEFAULTS)",
                    "ALTER TABLE " + table + " DROP COLUMN payload",
                    "ALTER TABLE " + table + " ADD COLUMN payload " + entry.getKey(),
                    "GRANT INSERT ON " + table + " TO shop");
            Outbox outbox = Outbox.builder().table(table).build();
            try (Connection connection = begin("reWriteBatchedInserts=true")) {
                outbox.append(connection, List.of(entry.getValue(), entry.getValue(), OutboxEvent.of("order", "43")));
                connection.commit();
            }
            assertThat(database.query("SELECT coalesce(payload::text, 'none') FROM " + table + " ORDER BY ctid"))
                    .as(table)
                    .hasSize(3)
                    .endsWith("none")
                    .first()
                    .isIn("{\"a\":  1}", "any text", "\\x6279746573");
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
