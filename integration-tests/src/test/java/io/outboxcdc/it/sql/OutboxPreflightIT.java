package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.Finding;
import io.outboxcdc.stack.sql.Finding.Code;
import io.outboxcdc.stack.sql.OutboxPreflight;
import io.outboxcdc.stack.sql.OutboxTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.postgresql.replication.PGReplicationStream;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Each finding on a database that is really broken in that way, and none on a good one. */
@ParameterizedClass
@EnumSource
class OutboxPreflightIT {
    private static final OutboxTarget TARGET = OutboxTarget.standard();

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    OutboxPreflightIT(PostgresVersion version) {
        this.version = version;
    }

    @Test
    void nothingIsFoundAfterTheScriptsWhoeverAsks() throws SQLException {
        TestDatabase database = databases.create(version);
        database.apply();

        for (String role : List.of("postgres", "outbox_cdc", "outbox_monitor")) {
            try (Connection connection = database.connect(role)) {
                assertThat(OutboxPreflight.check(connection, TARGET)).as(role).isEmpty();
            }
        }
    }

    /** On two versions only: it needs a server of its own. */
    @Test
    void aServerThatCannotReplicateGivesAllFindingsAtOnce() throws SQLException {
        assumeThat(version).isIn(PostgresVersion.PG14, PostgresVersion.PG18);
        TestDatabase database = databases.create(
                version, Map.of("wal_level", "replica", "max_wal_senders", "0", "max_replication_slots", "0"));

        assertThat(codes(database, TARGET))
                .containsExactly(
                        Code.WAL_LEVEL_NOT_LOGICAL,
                        Code.NO_FREE_WAL_SENDER,
                        Code.TABLE_MISSING,
                        Code.PUBLICATION_MISSING,
                        Code.SLOT_MISSING,
                        Code.NO_FREE_SLOT,
                        Code.ROLE_MISSING);
    }

    @Test
    void aTableThatIsUnloggedOrLacksColumnsIsFound() throws SQLException {
        TestDatabase database = databases.create(version);
        database.apply();
        database.run(
                "DROP TABLE outbox",
                "CREATE UNLOGGED TABLE outbox (id bigint PRIMARY KEY, aggregate_type text, aggregate_id text,"
                        + " payload jsonb, headers json, created_at timestamptz)");

        List<Finding> findings = check(database, TARGET);

        assertThat(findings)
                .extracting(Finding::code)
                .containsExactly(
                        Code.TABLE_NOT_LOGGED,
                        Code.COLUMN_TYPE,
                        Code.COLUMN_MISSING,
                        Code.COLUMN_TYPE,
                        Code.PUBLICATION_WITHOUT_TABLE);
        assertThat(findings)
                .extracting(Finding::found)
                .contains(
                        "column id is bigint, not uuid",
                        "column event_type is missing",
                        "column headers is json, not jsonb");
    }

    @Test
    void aPublicationWithTheWrongSettingsIsFound() throws SQLException {
        TestDatabase database = databases.create(version);
        database.apply();
        database.run("ALTER PUBLICATION outbox SET (publish = 'update, truncate', publish_via_partition_root = false)");

        assertThat(codes(database, TARGET))
                .containsExactly(
                        Code.PUBLICATION_WITHOUT_INSERTS,
                        Code.PUBLICATION_BEYOND_INSERTS,
                        Code.PUBLICATION_NOT_VIA_ROOT);
    }

    @Test
    void aPublicationThatCoversTheOutboxInAnotherWayIsEnough() throws SQLException {
        TestDatabase database = databases.create(version);
        database.apply();
        String settings = " WITH (publish = 'insert', publish_via_partition_root = true)";
        database.run("CREATE PUBLICATION everything FOR ALL TABLES" + settings);
        if (version.isAtLeast(15)) {
            database.run("CREATE PUBLICATION of_schema FOR TABLES IN SCHEMA public" + settings);
            assertThat(check(database, TARGET.withPublication("of_schema"))).isEmpty();
        }

        assertThat(check(database, TARGET.withPublication("everything"))).isEmpty();
    }

    @Test
    void aColumnListThatLacksANeededColumnIsFound() throws SQLException {
        assumeThat(version.isAtLeast(15)).as("column lists").isTrue();
        TestDatabase database = databases.create(version);
        database.apply();
        database.run("ALTER PUBLICATION outbox SET TABLE outbox (id, aggregate_type, aggregate_id, payload)");

        assertThat(check(database, TARGET)).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo(Code.PUBLICATION_WITHOUT_COLUMN);
            assertThat(finding.found()).isEqualTo("its column list lacks event_type, headers");
        });
    }

    @Test
    void aSlotThatCannotServeIsFound() throws SQLException {
        TestDatabase database = databases.create(version);
        TestDatabase other = databases.create(version);
        database.apply();
        other.run(
                "SELECT pg_create_logical_replication_slot('elsewhere', 'test_decoding')",
                "SELECT pg_create_physical_replication_slot('physical')");

        assertThat(codes(database, TARGET.withSlot("elsewhere"))).containsExactly(Code.SLOT_PLUGIN, Code.SLOT_DATABASE);
        assertThat(codes(database, TARGET.withSlot("physical"))).containsExactly(Code.SLOT_PLUGIN);
        assertThat(codes(database, TARGET.withSlot("nowhere"))).containsExactly(Code.SLOT_MISSING);
    }

    @Test
    void aSlotInUseIsFoundWithItsHolderUnlessTheConnectorRuns() throws SQLException {
        TestDatabase database = databases.create(version);
        database.apply();

        try (Connection replication = database.replicate("outbox_cdc");
                PGReplicationStream stream = replication
                        .unwrap(PGConnection.class)
                        .getReplicationAPI()
                        .replicationStream()
                        .logical()
                        .withSlotName("outbox")
                        .withSlotOption("proto_version", 1)
                        .withSlotOption("publication_names", "outbox")
                        .start()) {
            assertThat(stream.isClosed()).isFalse();
            assertThat(check(database, TARGET)).singleElement().satisfies(finding -> {
                assertThat(finding.code()).isEqualTo(Code.SLOT_ACTIVE);
                assertThat(finding.found()).matches("it is in use by pid \\d+, role outbox_cdc, application .*");
            });
            assertThat(check(database, TARGET.whileRunning())).isEmpty();
        }
    }

    @Test
    void aLostSlotIsFoundAndRefusedByTheScripts() throws SQLException {
        TestDatabase database = databases.create(version);
        database.apply();
        database.loseSlot();

        assertThat(codes(database, TARGET)).containsExactly(Code.SLOT_LOST);
        assertThat(catchThrowable(database::apply)).hasMessageContaining("it is lost: the server has dropped WAL");
    }

    @Test
    void aRoleThatCannotReplicateIsFound() throws SQLException {
        TestDatabase database = databases.create(version);
        database.apply();
        database.run("ALTER ROLE outbox_cdc NOREPLICATION NOLOGIN");

        assertThat(codes(database, TARGET)).containsExactly(Code.ROLE_WITHOUT_LOGIN, Code.ROLE_WITHOUT_REPLICATION);
        assertThat(codes(database, TARGET.withRole("postgres"))).isEmpty();

        database.run("CREATE ROLE rds_replication", "GRANT rds_replication TO outbox_cdc");
        assertThat(codes(database, TARGET)).containsExactly(Code.ROLE_WITHOUT_LOGIN);
    }

    private static List<Finding> check(TestDatabase database, OutboxTarget target) throws SQLException {
        try (Connection connection = database.connect()) {
            return OutboxPreflight.check(connection, target);
        }
    }

    private static List<Code> codes(TestDatabase database, OutboxTarget target) throws SQLException {
        return check(database, target).stream().map(Finding::code).toList();
    }
}
