package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.OutboxSql;
import io.outboxcdc.stack.sql.OutboxSqlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What settings do and what is refused: the same on every version, so the oldest and the newest will do. */
@ParameterizedClass
@EnumSource(names = {"PG14", "PG18"})
class SqlSettingsIT {
    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    SqlSettingsIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonb", "json", "text", "bytea"})
    void thePayloadHasTheTypeThatWasAskedFor(String type) throws SQLException {
        database.apply(scriptsWith("outbox.payload_type", type));
        database.apply();

        assertThat(database.payloadType()).isEqualTo(type);
    }

    @Test
    void aNullPayloadIsAllowedOnlyOnRequest() throws SQLException {
        database.apply();
        assertThatThrownBy(() -> database.run(Events.insertWith("payload", "NULL")))
                .hasMessageContaining("outbox_payload_not_null");

        database.apply(scriptsWith("outbox.allow_null_payload", "on"));

        database.run(Events.insertWith("payload", "NULL"));
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    @Test
    void aLongerTopicPrefixLeavesLessForTheAggregateType() throws SQLException {
        database.apply();
        database.run(Events.insertWith("aggregate_type", "repeat('a', 236)"));

        database.apply(scriptsWith("outbox.topic_prefix", "shop.outbox.event."));

        assertThatThrownBy(() -> database.run(Events.insertWith("aggregate_type", "repeat('a', 232)")))
                .hasMessageContaining("event refused by \"outbox_aggregate_type_length\"");
        database.run(Events.insertWith("aggregate_type", "repeat('a', 231)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonb", "json", "text", "bytea"})
    void aPayloadOfAnyTypeIsMeasured(String type) throws SQLException {
        database.apply(scriptsWith("outbox.payload_type", type));
        String payload = "convert_to('\"' || repeat('x', %d) || '\"', 'UTF8')";
        String asType = type.equals("bytea") ? payload : "convert_from(" + payload + ", 'UTF8')::" + type;

        database.run(Events.insertWith("payload", asType.formatted(999_900)));

        assertThatThrownBy(() -> database.run(Events.insertWith("payload", asType.formatted(1_000_000))))
                .hasMessageContaining("outbox_record_size")
                .hasMessageContaining("take 1000081 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outbox.payload_type",
                "outbox.allow_null_payload",
                "outbox.max_record_bytes",
                "outbox.partition_by",
                "outbox.topic_prefix",
                "outbox.publish_created_at",
                "outbox.slot_failover",
                "outbox.slot_name"
            })
    void aWrongSettingIsAnErrorThatSaysWhatIsAccepted(String setting) {
        assertThatThrownBy(() -> database.apply(scriptsWith(setting, "Non sense")))
                .isInstanceOfSatisfying(OutboxSqlException.class, e -> {
                    assertThat(e.sqlState()).contains("22023");
                    assertThat(e.script()).isPresent();
                })
                .hasMessageMatching("Script \\d\\d_\\w+\\.sql, line \\d+: setting " + setting
                        + " is \"Non sense\"\\. To do: (It may be|A slot name has) .*");
    }

    @Test
    void aConnectionWithATransactionOfItsOwnIsRefused() throws SQLException {
        OutboxSql sql = OutboxSql.inFolder(TestDatabase.SCRIPTS);
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> sql.applyTo(connection))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("auto-commit");
        }
    }

    @Test
    void allThatIsWrongWithAnOutboxThatIsThereComesInOneError() throws SQLException {
        database.run("CREATE UNLOGGED TABLE outbox (id bigint, aggregate_type text, aggregate_id text, payload jsonb,"
                + " headers text, created_at timestamptz)");

        assertThatThrownBy(database::apply)
                .isInstanceOf(OutboxSqlException.class)
                .hasMessageContaining("20_outbox.sql")
                .hasMessageContaining("UNLOGGED")
                .hasMessageContaining("column id is bigint, not uuid")
                .hasMessageContaining("column event_type text is missing")
                .hasMessageContaining("column headers is text, not jsonb");
        assertThat(database.query("SELECT 1 FROM pg_publication")).isEmpty();
    }

    @Test
    void aTableOfSomebodyElseIsNotTakenAway() throws SQLException {
        database.run(
                "CREATE ROLE shop",
                "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregate_type text,"
                        + " aggregate_id text, event_type text, payload jsonb, headers jsonb, created_at timestamptz)",
                "ALTER TABLE outbox OWNER TO shop");

        assertThatThrownBy(database::apply)
                .hasMessageContaining("table public.outbox belongs to shop")
                .hasMessageContaining("ALTER TABLE public.outbox OWNER TO outbox_owner");
        database.run("ALTER TABLE public.outbox OWNER TO outbox_owner");

        assertThat(database.apply()).hasSameSizeAs(ScriptFolder.all());
    }

    @Test
    void aSyntaxErrorIsReportedWithItsLineAndWhatCameBeforeStays(@TempDir Path folder)
            throws IOException, SQLException {
        Files.writeString(folder.resolve("1_first.sql"), "CREATE TABLE first ();");
        Files.writeString(folder.resolve("2_second.sql"), "CREATE TABLE second ();\n\n-- now\nSELECT\n  1 +;\n");

        assertThatThrownBy(() -> database.apply(OutboxSql.inFolder(folder)))
                .isInstanceOfSatisfying(
                        OutboxSqlException.class, e -> assertThat(e.script()).contains("2_second.sql"))
                .hasMessageStartingWith("Script 2_second.sql, line 5: syntax error");
        assertThat(database.one("SELECT to_regclass('second')")).isEqualTo("null");
        assertThat(database.one("SELECT to_regclass('first')")).isEqualTo("first");
    }

    private static OutboxSql scriptsWith(String setting, String value) {
        return OutboxSql.inFolder(TestDatabase.SCRIPTS).with(setting, value);
    }
}
