package io.outboxcdc.it.sql;

import io.outboxcdc.client.upkeep.UpkeepStep;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Old rows of a plain outbox go in batches, and none before every slot has confirmed past it. */
@ParameterizedClass
@EnumSource
class PlainRetentionIT {
    private static final String OLD = Upkeep.insertFrom(30);

    private static final String MANY_OLD =
            OLD.replace("VALUES (", "SELECT ").replaceFirst("\\)$", "") + " FROM generate_series(1, 1050)";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    private Upkeep upkeep;

    @SuppressWarnings("NullAway.Init") // before each test
    PlainRetentionIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createOutbox() throws SQLException {
        database = databases.create(version);
        upkeep = Upkeep.of(database, "none");
    }

    @Test
    void rowsGoWhenTheirTimeIsOverAndTheSlotHasConfirmedThem() throws Exception {
        database.run(OLD, OLD, Upkeep.insertFrom(6), Events.INSERT);

        upkeep.round();
        List<UpkeepStep> before = upkeep.round();
        assertThat(before)
                .singleElement()
                .asString()
                .startsWith("kept outbox: no rows deleted: slot outbox has confirmed");
        assertThat(rows()).isEqualTo(4);

        assertThat(upkeep.confirmAll()).isEqualTo(4);
        List<UpkeepStep> after = upkeep.round();

        assertThat(after).singleElement().hasToString("deleted outbox: 2 rows");
        assertThat(rows()).isEqualTo(2);
        assertThat(upkeep.confirmAll()).as("deletes are not published").isZero();
    }

    @Test
    void batchesAreAsLargeAsTold() throws Exception {
        database.run(MANY_OLD, "UPDATE outbox_upkeep SET batch_rows = 100");
        upkeep.round();
        upkeep.confirmAll();

        assertThat(database.one("SELECT deleted FROM public.outbox_delete_old()"))
                .isEqualTo("100");
        assertThat(rows()).isEqualTo(950);
        assertThat(upkeep.round()).singleElement().hasToString("deleted outbox: 950 rows");
    }

    @Test
    void theProcedureDoesTheSame() throws Exception {
        database.run(MANY_OLD, "UPDATE outbox_upkeep SET batch_rows = 100");
        upkeep.call();
        assertThat(rows()).isEqualTo(1050);
        upkeep.confirmAll();

        upkeep.call();

        assertThat(rows()).isZero();
    }

    /** A row's age says nothing about when it was committed. */
    @Test
    void anOldRowThatWasCommittedAfterWhatTheSlotHasConfirmedStays() throws Exception {
        try (Connection writer = database.connect();
                Statement insert = writer.createStatement()) {
            writer.setAutoCommit(false);
            insert.execute(OLD);
            upkeep.round();
            String mark = database.one("SELECT pending_lsn FROM outbox_retention_mark");
            database.run(Events.INSERT);
            writer.commit();
            database.run(OLD);
            database.run("SELECT pg_replication_slot_advance('outbox', '" + mark + "')");
        }

        upkeep.round();
        upkeep.round();
        assertThat(rows()).isEqualTo(3);

        assertThat(upkeep.confirmAll()).isEqualTo(3);
        upkeep.round();
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aSlotThatIsGoneOrLostKeepsAllRows() throws Exception {
        database.run(OLD);
        upkeep.round();
        upkeep.confirmAll();
        database.loseSlot();
        assertThat(upkeep.round()).singleElement().hasToString("kept outbox: no rows deleted: slot outbox is lost");

        database.run("SELECT pg_drop_replication_slot('outbox')");
        assertThat(upkeep.round())
                .singleElement()
                .hasToString("kept outbox: no rows deleted: slot outbox does not exist");
        upkeep.call();

        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void rowsThatSomebodyHoldsAreNotWaitedFor() throws Exception {
        database.run(OLD, OLD);
        upkeep.round();
        upkeep.confirmAll();
        try (Connection holder = database.connect();
                Statement lock = holder.createStatement();
                ConstantWriters writers = ConstantWriters.start(database, 2, "100ms")) {
            holder.setAutoCommit(false);
            lock.execute("SELECT id FROM outbox ORDER BY created_at LIMIT 1 FOR UPDATE");

            assertThat(upkeep.round()).first().hasToString("deleted outbox: 1 row");
            writers.awaitProgress();

            assertThat(writers.failures()).isEmpty();
        }
    }

    @Test
    void whatWasRestoredFromAnotherServerStartsAnew() throws Exception {
        database.run(
                OLD,
                "UPDATE outbox_retention_mark SET confirmed_before = 9000000000000, pending_before = 9000000000000,"
                        + " pending_lsn = 'FFFFFFFF/0'");

        upkeep.round();
        assertThat(rows()).isEqualTo(1);

        upkeep.confirmAll();
        upkeep.round();
        assertThat(rows()).isZero();
    }

    @Test
    void oldRowsAreFoundByAnIndex() throws SQLException {
        database.run(MANY_OLD, "ANALYZE outbox", "SET enable_seqscan = off");

        assertThat(String.join(
                        "\n",
                        database.query("EXPLAIN SELECT ctid FROM outbox WHERE created_at < now()"
                                + " - interval '7 days' ORDER BY created_at LIMIT 100 FOR UPDATE SKIP LOCKED")))
                .contains("outbox_created_at");
    }

    private int rows() throws SQLException {
        return Integer.parseInt(database.one("SELECT count(*) FROM outbox"));
    }
}
