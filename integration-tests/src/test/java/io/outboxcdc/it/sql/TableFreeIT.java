package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.OutboxSql;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Events as logical messages: who may emit them, and what the function refuses. */
@ParameterizedClass
@EnumSource
class TableFreeIT {
    private static final String EMIT = "SELECT outbox_emit('Order', '7', 'OrderPlaced', '{\"total\": 1.10}')";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    TableFreeIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version);
    }

    private void apply() throws SQLException {
        database.apply(OutboxSql.inFolder(TestDatabase.SCRIPTS).with("outbox.table_free", "on"));
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop", "CREATE ROLE stranger LOGIN");
    }

    @Test
    void itIsOffUnlessAskedFor() throws SQLException {
        database.apply();
        database.run("CREATE ROLE stranger LOGIN");

        assertThat(database.query("SELECT proname FROM pg_proc WHERE proname = 'outbox_emit'"))
                .isEmpty();
        database.runAs("stranger", "SELECT pg_logical_emit_message(true, 'x', 'y')");
    }

    @Test
    void onlyThePipelinesRolesMayEmit() throws SQLException {
        apply();

        database.runAs("shop", EMIT);
        database.runAs("outbox_cdc", "SELECT pg_logical_emit_message(false, 'heartbeat', '')");
        database.runAs("outbox_monitor", "SELECT pg_logical_emit_message(false, 'heartbeat', '')");
        for (String forbidden : List.of(
                EMIT,
                "SELECT pg_logical_emit_message(true, 'outbox', '{}')",
                "SELECT pg_logical_emit_message(true, 'outbox', '{}'::bytea)")) {
            assertThatThrownBy(() -> database.runAs("stranger", forbidden))
                    .as(forbidden)
                    .hasMessageContaining("permission denied");
        }
        assertThatThrownBy(() -> database.runAs("outbox_monitor", EMIT)).hasMessageContaining("permission denied");
    }

    @Test
    void applyingItAgainChangesNothing() throws SQLException {
        String state = """
                SELECT format('%s %s %s %s', oid::regprocedure, proowner::regrole, proacl, md5(prosrc)) FROM pg_proc
                WHERE proname IN ('outbox_emit', 'pg_logical_emit_message') ORDER BY 1""";
        apply();
        List<String> first = database.query(state);

        database.apply(OutboxSql.inFolder(TestDatabase.SCRIPTS).with("outbox.table_free", "on"));
        assertThat(database.query(state)).isEqualTo(first).hasSize(3);
        database.apply();
        assertThat(database.query(state)).isEqualTo(first);
    }

    @Test
    void theMessageIsTheRowAsJsonInTheSlot() throws SQLException {
        apply();

        String id = database.queryAs(
                        "shop",
                        "SELECT outbox_emit('Order', 'größe/7', NULL, '{\"total\": 1.10}', '{\"tenant\": \"acme\"}')")
                .get(0);

        assertThat(database.one("SELECT encode(substring(data FROM position('{'::bytea IN data)), 'escape')"
                        + " FROM pg_logical_slot_peek_binary_changes('outbox', NULL, NULL, 'proto_version', '1',"
                        + " 'publication_names', 'outbox', 'messages', 'true') WHERE get_byte(data, 0) = ascii('M')"))
                .contains(id, "\"event_type\" : null", "\"payload\" : {\"total\": 1.10}", "{\"tenant\": \"acme\"}");
    }

    @Test
    void whatTheTableWouldRefuseIsRefused() throws SQLException {
        apply();
        Map<String, String> refused = Map.of(
                "SELECT outbox_emit('a/b', '7', 'x', '{}')", "event refused by \"outbox_aggregate_type_legal\"",
                "SELECT outbox_emit('..', '7', 'x', '{}')", "event refused by \"outbox_aggregate_type_legal\"",
                "SELECT outbox_emit(NULL, '7', 'x', '{}')", "no event is emitted: aggregate_type is NULL",
                "SELECT outbox_emit(repeat('x', 237), '7', 'x', '{}')",
                        "event refused by \"outbox_aggregate_type_length\"",
                "SELECT outbox_emit('a', E' \\t\\u2003', 'x', '{}')",
                        "event refused by \"outbox_aggregate_id_not_blank\"",
                "SELECT outbox_emit('a', NULL, 'x', '{}')", "no event is emitted: aggregate_id is NULL",
                "SELECT outbox_emit('a', '7', 'x', NULL)", "no event is emitted: payload is NULL",
                "SELECT outbox_emit('a', '7', 'x', '{}', '[]')", "event refused by \"outbox_headers_object\"",
                "SELECT outbox_emit('a', '7', 'x', '{}', '{}', NULL)", "no event is emitted: id is NULL");

        refused.forEach((sql, problem) ->
                assertThatThrownBy(() -> database.runAs("shop", sql)).as(sql).hasMessageContaining(problem));
        database.runAs("shop", "SELECT outbox_emit('a', '7', 'x', 'null', 'null')");
    }

    @Test
    void theTopicsPrefixLimitsTheAggregateTypeAsInTheTable() throws SQLException {
        apply();

        database.apply(OutboxSql.inFolder(TestDatabase.SCRIPTS)
                .with("outbox.table_free", "on")
                .with("outbox.topic_prefix", "shop.outbox.event."));

        database.runAs("shop", "SELECT outbox_emit(repeat('x', 231), '7', 'x', '{}')");
        assertThatThrownBy(() -> database.runAs("shop", "SELECT outbox_emit(repeat('x', 232), '7', 'x', '{}')"))
                .hasMessageContaining("event refused by \"outbox_aggregate_type_length\"");
    }

    @Test
    void aMessageThatIsTooLargeIsRefused() throws SQLException {
        apply();

        database.runAs("shop", "SELECT outbox_emit('a', '7', 'x', to_jsonb(repeat('x', 449000)))");
        assertThatThrownBy(() ->
                        database.runAs("shop", "SELECT outbox_emit('a', '7', 'x', to_jsonb(repeat('é', 225000)))"))
                .hasMessageContaining("and may have 450000");
    }

    @Test
    void wrongSettingsAndMissingRightsAreRefused() throws SQLException, IOException {
        OutboxSql scripts = OutboxSql.inFolder(TestDatabase.SCRIPTS);

        assertThatThrownBy(() -> database.apply(scripts.with("outbox.table_free", "maybe")))
                .hasMessageContaining("outbox.table_free");
        assertThatThrownBy(() -> database.apply(scripts.with("outbox.max_message_bytes", "1MB")))
                .hasMessageContaining("outbox.max_message_bytes");
        apply();
        String script = Files.readString(TestDatabase.SCRIPTS.resolve("60_table_free.sql"));
        assertThatThrownBy(() -> database.runAs("shop", "SET outbox.table_free = 'on'", script))
                .hasMessageContaining("role shop may not take EXECUTE on");
    }
}
