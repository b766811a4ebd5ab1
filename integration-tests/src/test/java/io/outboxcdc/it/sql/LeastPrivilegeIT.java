package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.OutboxSql;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.postgresql.replication.PGReplicationStream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each role can do its work, and not the work of another. */
@ParameterizedClass
@EnumSource
class LeastPrivilegeIT {
    private static final String DENIED = "permission denied";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    LeastPrivilegeIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version);
    }

    private void apply() throws SQLException {
        database.apply();
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop");
    }

    @Test
    void aWriterInsertsAndDoesNothingElse() throws SQLException {
        apply();

        database.runAs("shop", Events.INSERT);

        assertThat(database.insertsInSlot()).isEqualTo(1);
        for (String forbidden : List.of(
                "SELECT FROM outbox",
                Events.INSERT + " RETURNING id",
                "UPDATE outbox SET payload = '{}'",
                "DELETE FROM outbox",
                "TRUNCATE outbox",
                "SELECT FROM outbox_slot",
                "DELETE FROM outbox_slot")) {
            assertThatThrownBy(() -> database.runAs("shop", forbidden))
                    .as(forbidden)
                    .hasMessageContaining(DENIED);
        }
    }

    @Test
    void aWriterHasNoRightBeforeTheSlotExists(@TempDir Path before, @TempDir Path after) throws Exception {
        database.apply(
                ScriptFolder.only(before, "10_roles.sql", "15_event_rules.sql", "20_outbox.sql", "30_publication.sql"));
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop");

        assertThatThrownBy(() -> database.apply(ScriptFolder.only(after, "50_grants.sql")))
                .hasMessageContaining("slot outbox is not ready. it does not exist. To do: Apply 40_slot.sql first.");

        assertThatThrownBy(() -> database.runAs("shop", Events.INSERT)).hasMessageContaining(DENIED);
        database.apply();
        database.runAs("shop", Events.INSERT);
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    @Test
    void theConnectorReplicatesWithoutReadingTheTable() throws SQLException {
        apply();
        database.runAs("shop", Events.INSERT);

        List<Character> messages = new ArrayList<>();
        try (Connection replication = database.replicate("outbox_cdc");
                PGReplicationStream stream = replication
                        .unwrap(PGConnection.class)
                        .getReplicationAPI()
                        .replicationStream()
                        .logical()
                        .withSlotName("outbox")
                        .withSlotOption("proto_version", 1)
                        .withSlotOption("publication_names", "outbox")
                        .withSlotOption("messages", true)
                        .start()) {
            database.runAs("outbox_cdc", "SELECT pg_logical_emit_message(false, 'heartbeat', '')");
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                ByteBuffer message = stream.readPending();
                if (message != null) {
                    messages.add((char) message.get());
                }
                return messages.contains('M');
            });
        }

        assertThat(messages).contains('I');
        for (String forbidden : List.of("SELECT FROM outbox", Events.INSERT, "DELETE FROM outbox_slot")) {
            assertThatThrownBy(() -> database.runAs("outbox_cdc", forbidden))
                    .as(forbidden)
                    .hasMessageContaining(DENIED);
        }
    }

    @Test
    void theConnectorsRoleCanMakeTheSlot(@TempDir Path before, @TempDir Path slot) throws Exception {
        database.apply(
                ScriptFolder.only(before, "10_roles.sql", "15_event_rules.sql", "20_outbox.sql", "30_publication.sql"));

        try (Connection cdc = database.connect("outbox_cdc")) {
            ScriptFolder.only(slot, "40_slot.sql").applyTo(cdc);
        }

        database.apply();
        assertThat(database.one("SELECT slot_name FROM outbox_slot")).isEqualTo("outbox");
    }

    @Test
    void theMonitorReadsSlotsAndWalAndWhichEventsThereAreAndNoPayload() throws SQLException {
        apply();

        assertThat(database.queryAs("outbox_monitor", "SELECT wal_status FROM pg_replication_slots"))
                .containsExactly("reserved");
        assertThat(database.queryAs("outbox_monitor", "SELECT slot_name FROM outbox_slot"))
                .containsExactly("outbox");
        assertThat(database.queryAs("outbox_monitor", "SELECT count(*) > 0 FROM pg_ls_waldir()"))
                .containsExactly("t");
        assertThat(database.queryAs(
                        "outbox_monitor",
                        "SELECT count(id) + count(aggregate_type) + count(aggregate_id) + count(created_at)"
                                + " + count(xmin) + count(xmax) + count(cmin) FROM outbox"))
                .containsExactly("0");
        for (String forbidden : List.of(
                "SELECT payload FROM outbox",
                "SELECT headers FROM outbox",
                "SELECT event_type FROM outbox",
                "SELECT * FROM outbox",
                Events.INSERT,
                "DELETE FROM outbox_slot")) {
            assertThatThrownBy(() -> database.runAs("outbox_monitor", forbidden))
                    .as(forbidden)
                    .hasMessageContaining(DENIED);
        }
    }

    @Test
    void noRoleHasAPasswordAndTheOwnerOwnsTheTables() throws SQLException {
        apply();

        assertThat(database.query("SELECT rolname FROM pg_authid WHERE rolname LIKE 'outbox%'"
                        + " AND (rolpassword IS NOT NULL OR rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls)"))
                .isEmpty();
        assertThat(database.query(
                        "SELECT rolname FROM pg_roles WHERE rolname LIKE 'outbox%' AND rolcanlogin ORDER BY 1"))
                .containsExactly("outbox_cdc", "outbox_monitor");
        assertThat(database.query("SELECT relname FROM pg_class WHERE relname LIKE 'outbox%'"
                        + " AND relowner <> 'outbox_owner'::regrole UNION ALL SELECT proname FROM pg_proc"
                        + " WHERE proname LIKE 'outbox%' AND proowner <> 'outbox_owner'::regrole"))
                .isEmpty();
    }

    @Test
    void anInstallerWhoIsNoSuperuserCanApplyThem(@TempDir Path roles) throws SQLException, IOException {
        database.run(
                "CREATE ROLE installer LOGIN CREATEROLE REPLICATION",
                "ALTER DATABASE " + database.name() + " OWNER TO installer");
        if (version.isAtLeast(16)) {
            database.run("GRANT pg_monitor TO installer WITH ADMIN OPTION");
        } else {
            // Only a superuser can give REPLICATION here, so that one makes the roles.
            database.apply(ScriptFolder.only(roles, "10_roles.sql"));
            database.run("GRANT outbox_owner TO installer");
        }

        try (Connection installer = database.connect("installer")) {
            assertThat(OutboxSql.inFolder(TestDatabase.SCRIPTS).applyTo(installer))
                    .hasSameSizeAs(ScriptFolder.all());
            assertThat(OutboxSql.inFolder(TestDatabase.SCRIPTS).applyTo(installer))
                    .hasSameSizeAs(ScriptFolder.all());
        }

        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop");
        database.runAs("shop", Events.INSERT);
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    @Test
    void anInstallerWhoMayNotGiveReplicationIsToldWhatToAskFor() throws SQLException {
        database.run(
                "CREATE ROLE installer LOGIN CREATEROLE", "ALTER DATABASE " + database.name() + " OWNER TO installer");

        try (Connection installer = database.connect("installer")) {
            assertThatThrownBy(() -> OutboxSql.inFolder(TestDatabase.SCRIPTS).applyTo(installer))
                    .hasMessageContaining("role installer may not give REPLICATION to outbox_cdc")
                    .hasMessageContaining("ALTER ROLE outbox_cdc REPLICATION");
        }
    }
}
