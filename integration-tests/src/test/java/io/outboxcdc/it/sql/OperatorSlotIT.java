package io.outboxcdc.it.sql;

import io.outboxcdc.cli.slot.Deed;
import io.outboxcdc.cli.slot.Guards;
import io.outboxcdc.cli.slot.Loss;
import io.outboxcdc.cli.slot.LossReading;
import io.outboxcdc.cli.slot.Situation;
import io.outboxcdc.cli.slot.SlotDatabase;
import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.StoredOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What an operator may do to a slot, on every server. What would break: events are given up that nobody knew of. */
@ParameterizedClass
@EnumSource
class OperatorSlotIT {

    private static final Deed DROP = new Deed.Drop();
    private static final Deed RECREATE = new Deed.Recreate();

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    OperatorSlotIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createOutbox() throws SQLException {
        database = databases.create(version);
        database.apply();
    }

    @Test
    void theConnectorsRoleCountsWhatIsLostAndMovesTheSlot() throws SQLException {
        database.run(Events.INSERT, Events.INSERT, "CREATE TABLE noise AS SELECT generate_series(1, 1000)");
        Deed toTheEnd = new Deed.Advance(end());
        database.run(Events.INSERT);

        Loss loss = loss(toTheEnd, Optional.empty());
        assertThat(loss.count()).contains(new Loss.Count(2, false));
        assertThat(loss.bytes()).isPositive();
        assertThat(database.insertsInSlot()).as("counting moves nothing").isEqualTo(3);

        perform("outbox_cdc", toTheEnd, loss);

        assertThat(database.insertsInSlot()).isEqualTo(1);
        assertThat(database.one(
                        "SELECT format('%s %s %s %s', action, slot_name, logged_by, lost) FROM outbox_slot_log"))
                .startsWith("advance outbox outbox_cdc up to 2 events in ");
    }

    @Test
    void whatKafkaHasIsNotLost() throws SQLException {
        database.run(Events.INSERT, Events.INSERT);
        Lsn delivered = end();
        database.run(Events.INSERT);

        assertThat(loss(new Deed.Advance(delivered), Optional.of(delivered)).isNone())
                .isTrue();
        assertThat(loss(DROP, Optional.of(delivered)).count()).contains(new Loss.Count(1, false));
        assertThat(problems(new Deed.Advance(delivered), Optional.of(delivered)))
                .isEmpty();
    }

    @Test
    void messagesThatAreEventsCountAndHeartbeatsDoNot() throws SQLException {
        database.run(
                "SELECT pg_logical_emit_message(true, 'outbox', '{}')",
                "SELECT pg_logical_emit_message(true, 'outbox-operator', '{}')",
                "SELECT pg_logical_emit_message(true, 'heartbeat', '')",
                Events.INSERT);

        assertThat(loss(DROP, Optional.of(new Lsn(0))).count()).contains(new Loss.Count(2, false));
    }

    @Test
    void aPositionBeyondTheOffsetIsRefusedAsLongAsTheOffsetIsStored() throws SQLException {
        Lsn delivered = end();
        database.run(Events.INSERT);

        assertThat(problems(new Deed.Advance(end()), Optional.of(delivered)))
                .contains("stores offset " + delivered)
                .contains("DELETE /connectors/outbox/offsets");
        assertThat(problems(RECREATE, Optional.of(delivered))).contains("DELETE /connectors/outbox/offsets");
        assertThat(problems(DROP, Optional.of(delivered)))
                .as("a start fails loudly then")
                .isEmpty();
    }

    @Test
    void positionsBehindTheSlotAndBeyondTheWalAreRefused() throws SQLException {
        Lsn old = end();
        perform("outbox_cdc", new Deed.Advance(end()), Loss.NONE);

        assertThat(problems(new Deed.Advance(old), Optional.empty())).contains("cannot go back");
        assertThat(problems(new Deed.Advance(new Lsn(end().position() + 1_000_000)), Optional.empty()))
                .contains("the WAL ends at");
    }

    @Test
    void aSlotInUseIsLeftAloneAndSoAreThoseOfOthers() throws SQLException {
        database.run("SELECT pg_create_physical_replication_slot('standby')");
        TestDatabase other = databases.create(version);
        other.run("SELECT pg_create_logical_replication_slot('elsewhere', 'pgoutput')");

        try (Connection reader = database.replicate("outbox_cdc")) {
            var stream = reader.unwrap(org.postgresql.PGConnection.class)
                    .getReplicationAPI()
                    .replicationStream()
                    .logical()
                    .withSlotName("outbox")
                    .withSlotOption("proto_version", 1)
                    .withSlotOption("publication_names", "outbox")
                    .start();
            assertThat(problems("outbox", DROP, Optional.empty())).contains("is in use by process");
            stream.close();
        }
        assertThat(problems("standby", DROP, Optional.empty())).contains("is a physical one");
        assertThat(problems("elsewhere", DROP, Optional.empty())).contains("belongs to database " + other.name());
        assertThat(problems("unknown", DROP, Optional.empty())).contains("there is no slot unknown");
    }

    @Test
    void aLostSlotIsMadeAnewAndUpkeepKeepsAllUntilItIsRegistered() throws SQLException {
        database.loseSlot();
        assertThat(problems(new Deed.Advance(end()), Optional.empty())).contains("is lost and cannot be moved");
        assertThat(loss(RECREATE, Optional.empty()).isNone()).isFalse();

        perform("postgres", RECREATE, loss(RECREATE, Optional.empty()));

        database.run(Events.INSERT);
        assertThat(database.insertsInSlot()).isEqualTo(1);
        assertThat(database.one("SELECT public.outbox_slots_behind(NULL)"))
                .isEqualTo("no slot is registered in public.outbox_slot");
        if (version.isAtLeast(17)) {
            assertThat(database.one("SELECT failover FROM pg_replication_slots"))
                    .isEqualTo("t");
        }
        database.apply();
        assertThat(database.one("SELECT public.outbox_slots_behind(NULL)")).isEqualTo("null");
    }

    @Test
    void aSlotIsMadeAnewByThoseOnlyWhoMayRegisterIt() throws SQLException {
        try (Connection connection = database.connect("outbox_cdc")) {
            Situation found = new SlotDatabase(connection, "outbox").read(Optional.empty());
            assertThat(String.join(" ", Guards.problems("outbox", found, RECREATE)))
                    .contains("may not change public.outbox_slot");
        }
        assertThat(problems(RECREATE, Optional.empty())).isEmpty();
    }

    @Test
    void whoMayNotReplicateIsRefusedByTheServer() throws SQLException {
        database.run(Events.INSERT);

        assertThatThrownBy(() -> perform("outbox_monitor", DROP, Loss.NONE)).isInstanceOf(SQLException.class);
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    private Lsn end() throws SQLException {
        return Lsn.parse(database.one("SELECT pg_current_wal_flush_lsn()"));
    }

    private static Optional<Situation.Reader> stopped(Optional<Lsn> delivered) {
        return delivered.map(offset -> new Situation.Reader(
                "outbox",
                "STOPPED",
                0,
                "outbox",
                Optional.of("outbox"),
                Optional.of("outbox"),
                offset.position() == 0
                        ? Optional.empty()
                        : Optional.of(new StoredOffset(delivered, delivered, delivered))));
    }

    private Loss loss(Deed deed, Optional<Lsn> delivered) throws SQLException {
        try (Connection connection = database.connect("outbox_cdc")) {
            Situation found = new SlotDatabase(connection, "outbox").read(stopped(delivered));
            return new LossReading(connection, "outbox").of(found, deed);
        }
    }

    private String problems(Deed deed, Optional<Lsn> delivered) throws SQLException {
        return problems("outbox", deed, delivered);
    }

    private String problems(String slot, Deed deed, Optional<Lsn> delivered) throws SQLException {
        try (Connection connection = database.connect()) {
            return String.join(
                    " ", Guards.problems(slot, new SlotDatabase(connection, slot).read(stopped(delivered)), deed));
        }
    }

    private void perform(String user, Deed deed, Loss loss) throws SQLException {
        try (Connection connection = database.connect(user)) {
            SlotDatabase slot = new SlotDatabase(connection, "outbox");
            Situation found = slot.read(Optional.empty());
            slot.log(deed, found, loss);
            slot.perform(deed, found);
        }
    }
}
