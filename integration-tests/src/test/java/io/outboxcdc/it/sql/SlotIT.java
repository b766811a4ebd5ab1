package io.outboxcdc.it.sql;

import io.outboxcdc.it.DocumentedSql;
import io.outboxcdc.stack.sql.AppliedScript;
import io.outboxcdc.stack.sql.OutboxSql;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

/** The slot comes first, is never made again in silence, and is refused when it cannot serve. */
@ParameterizedClass
@EnumSource
class SlotIT {
    private static final String SLOTS = "SELECT slot_name FROM pg_replication_slots";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    SlotIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version);
    }

    @Test
    void itIsRegisteredWithThePositionFromWhichItDelivers() throws SQLException {
        database.apply();

        assertThat(database.one("SELECT format('%s %s %s', r.slot_name, r.publication_name,"
                        + " r.registered_lsn = s.confirmed_flush_lsn)"
                        + " FROM outbox_slot r JOIN pg_replication_slots s USING (slot_name)"))
                .isEqualTo("outbox outbox t");
    }

    @Test
    void standbysKeepACopyUnlessTold() throws SQLException {
        assumeThat(version.isAtLeast(17)).as("failover slots").isTrue();

        database.apply();
        database.apply(OutboxSql.inFolder(TestDatabase.SCRIPTS)
                .with("outbox.slot_name", "plain")
                .with("outbox.slot_failover", "off"));

        assertThat(database.query(SLOTS + " WHERE failover")).containsExactly("outbox");
        assertThat(database.query("SELECT slot_name FROM outbox_slot ORDER BY 1"))
                .containsExactly("outbox", "plain");
    }

    @Test
    void aRegisteredSlotThatIsGoneIsNotMadeAgain() throws SQLException {
        database.apply();
        database.run(Events.INSERT, "SELECT pg_drop_replication_slot('outbox')");

        assertThatThrownBy(database::apply)
                .hasMessageContaining("slot outbox is registered in public.outbox_slot and does not exist");
        assertThat(database.query(SLOTS)).isEmpty();
    }

    /** The steps of "When a slot is lost or gone" in sql/README.md. */
    @Test
    void eventsOfALostSlotAreSentAgainByTheReadme(@TempDir Path slot, @TempDir Path grants) throws Exception {
        database.apply();
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop");
        database.runAs("shop", Events.INSERT, Events.INSERT);
        database.run("SELECT pg_drop_replication_slot('outbox')");

        database.run(
                "REVOKE INSERT ON outbox FROM outbox_writer", "DELETE FROM outbox_slot WHERE slot_name = 'outbox'");
        List<AppliedScript> made = database.apply(ScriptFolder.only(slot, "40_slot.sql"));
        assertThatThrownBy(() -> database.runAs("shop", Events.INSERT)).hasMessageContaining("permission denied");
        database.run(DocumentedSql.in(TestDatabase.SCRIPTS.resolve("README.md"), "When a slot is lost or gone")
                .get(0));
        database.apply(ScriptFolder.only(grants, "50_grants.sql"));
        database.runAs("shop", Events.INSERT);

        assertThat(made.get(0).notices()).singleElement().asString().contains("will not be published");
        assertThat(database.insertsInSlot()).isEqualTo(3);
    }

    @Test
    void aSlotThatCannotServeIsRefused() throws SQLException {
        TestDatabase other = databases.create(version);

        database.run("SELECT pg_create_physical_replication_slot('outbox')");
        assertThatThrownBy(database::apply).hasMessageContaining("it is a physical slot");

        database.run("SELECT pg_drop_replication_slot('outbox')");
        database.run("SELECT pg_create_logical_replication_slot('outbox', 'test_decoding')");
        assertThatThrownBy(database::apply).hasMessageContaining("its plugin is test_decoding, not pgoutput");

        database.run("SELECT pg_drop_replication_slot('outbox')");
        other.run("SELECT pg_create_logical_replication_slot('outbox', 'pgoutput')");
        assertThatThrownBy(database::apply)
                .hasMessageContaining("it belongs to database " + other.name() + ", not to " + database.name());
    }

    @Test
    void aSlotBeforeItsPublicationIsRefused(@TempDir Path before, @TempDir Path slot) throws Exception {
        database.apply(ScriptFolder.only(before, "10_roles.sql", "15_event_rules.sql", "20_outbox.sql"));

        assertThatThrownBy(() -> database.apply(ScriptFolder.only(slot, "40_slot.sql")))
                .hasMessageContaining("publication outbox does not exist")
                .hasMessageContaining("Apply 30_publication.sql first");
    }

    @Test
    void makingItWaitsForOpenWritersAndSaysSo() throws Exception {
        try (Connection writer = database.connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("CREATE TABLE business ()");
            CompletableFuture<List<AppliedScript>> applied = CompletableFuture.supplyAsync(this::applyQuietly);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> database.query(SLOTS).contains("outbox"));

            assertThat(applied).isNotDone();
            writer.commit();

            assertThat(applied.get(20, TimeUnit.SECONDS))
                    .filteredOn(script -> script.name().equals("40_slot.sql"))
                    .flatExtracting(AppliedScript::notices)
                    .anySatisfy(
                            notice -> assertThat(notice.toString()).contains("waits for the open transactions of pid"));
        }
    }

    private List<AppliedScript> applyQuietly() {
        try (Connection installer = database.connect()) {
            return OutboxSql.inFolder(TestDatabase.SCRIPTS).applyTo(installer);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
