package io.outboxcdc.it.sql;

import io.outboxcdc.client.upkeep.UpkeepStep;
import io.outboxcdc.client.upkeep.UpkeepStep.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static io.outboxcdc.it.sql.Upkeep.objects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A partition is made before it is needed, and goes when nobody can need it any more; in between the table says why. */
@ParameterizedClass
@EnumSource
class PartitionLifeIT {
    private static final String RANGES_WITHOUT_GAP = "SELECT count(*) FROM (SELECT range_from,"
            + " lag(range_to) OVER (ORDER BY range_from) AS before FROM outbox_partition) r WHERE before <> range_from";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    private Upkeep upkeep;

    @SuppressWarnings("NullAway.Init") // before each test
    PartitionLifeIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createOutbox() throws SQLException {
        database = databases.create(version);
        upkeep = Upkeep.of(database, "day");
    }

    @Test
    void partitionsAreThereBeforeTheFirstWriterAndAheadOfTheLast() throws Exception {
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop");
        assertThat(database.one("SELECT count(*) FROM outbox_partition")).isEqualTo("9");
        assertThat(upkeep.round()).isEmpty();

        database.run("UPDATE outbox_upkeep SET make_ahead = '40 days'");
        List<UpkeepStep> steps = upkeep.round();

        assertThat(objects(steps, Kind.MADE)).hasSize(33);
        assertThat(database.one(RANGES_WITHOUT_GAP)).isEqualTo("0");
        assertThat(database.query("SELECT relname FROM pg_class JOIN pg_inherits ON inhrelid = oid"
                        + " WHERE inhparent = 'outbox'::regclass AND relowner <> 'outbox_owner'::regrole"))
                .isEmpty();
        database.runAs("shop", Events.INSERT);
        database.run(Upkeep.insertFrom(-39));
        assertThat(upkeep.confirmAll()).isEqualTo(2);
    }

    @Test
    void anOutboxByTheHourHasAPartitionForEachHour() throws Exception {
        TestDatabase other = databases.create(version);
        Upkeep hourly = Upkeep.of(other, "hour", "hourly");

        assertThat(other.one("SELECT count(*) FROM outbox_partition WHERE range_to - range_from = interval '1 hour'"))
                .isEqualTo(Integer.toString(7 * 24 + 2));
        assertThat(other.one(RANGES_WITHOUT_GAP)).isEqualTo("0");
        assertThat(hourly.round()).isEmpty();
        other.run(Events.INSERT);
    }

    @Test
    void aPartitionGoesWhenItsTimeIsOverAndTheSlotHasConfirmedPastItsEnd() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run(Upkeep.insertFrom(30), Events.INSERT);

        List<UpkeepStep> first = upkeep.round();

        assertThat(objects(first, Kind.SEALED)).containsExactly(partition);
        assertThat(objects(first, Kind.DROPPED)).isEmpty();
        assertThat(upkeep.isAttached(partition)).isFalse();
        assertThat(upkeep.audit(partition)).matches("sealed\\|there\\|\\|not dropped: slot outbox has confirmed .*");
        assertThat(database.one("SELECT count(*) FROM " + partition)).isEqualTo("1");

        int read = upkeep.confirmAll();
        List<UpkeepStep> second = upkeep.round();

        assertThat(read).isEqualTo(2);
        assertThat(objects(second, Kind.DROPPED)).containsExactly(partition);
        assertThat(upkeep.exists(partition)).isFalse();
        assertThat(upkeep.audit(partition)).matches("sealed\\|dropped\\|slot outbox had confirmed .*\\|");
        assertThat(upkeep.round()).isEmpty();
    }

    @Test
    void thoseWhoseTimeIsNotOverStay() throws Exception {
        String young = upkeep.pastPartition(6);
        String old = upkeep.pastPartition(8);
        upkeep.confirmAll();

        assertThat(objects(upkeep.round(), Kind.SEALED)).containsExactly(old);
        assertThat(upkeep.isAttached(young)).isTrue();

        database.run("UPDATE outbox_upkeep SET retention = '60 days'");
        upkeep.confirmAll();
        assertThat(upkeep.round()).singleElement().hasToString("kept " + old + ": the retention is not over");
    }

    /**
     * Writes, rounds of upkeep and a connector that stops for long, in any order. What would break: an event whose only copy
     * was dropped before it was read.
     */
    @Test
    void nothingIsDroppedThatTheConnectorHasNotRead() throws Exception {
        Random random = new Random(version.name().hashCode());
        Map<String, Set<String>> written = new HashMap<>();
        Set<String> read = new HashSet<>();
        List<String> dropped = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            int day = 20 + step / 3;
            switch (random.nextInt(4)) {
                case 0 -> {
                    String partition = "outbox_past_" + day;
                    if (!written.containsKey(partition)) {
                        upkeep.pastPartition(day);
                        written.put(partition, new HashSet<>());
                    }
                    if (upkeep.exists(partition) && upkeep.isAttached(partition)) {
                        database.run("BEGIN", Upkeep.insertFrom(day), Upkeep.insertFrom(day), "COMMIT");
                        written.get(partition).addAll(database.query("SELECT id FROM " + partition));
                    }
                }
                case 1 -> database.run(Events.INSERT);
                case 2 -> read.addAll(upkeep.confirmSome(random.nextInt(12)));
                default -> {
                    for (String partition : objects(upkeep.round(), Kind.DROPPED)) {
                        assertThat(read).as(partition).containsAll(written.getOrDefault(partition, Set.of()));
                        dropped.add(partition);
                    }
                }
            }
        }
        dropped.addAll(objects(upkeep.round(), Kind.DROPPED));
        read.addAll(upkeep.confirmSome(10_000));
        dropped.addAll(objects(upkeep.round(), Kind.DROPPED));

        assertThat(dropped)
                .containsExactlyInAnyOrderElementsOf(written.keySet())
                .hasSizeGreaterThan(5);
        written.values().forEach(ids -> assertThat(read).containsAll(ids));
    }

    @Test
    void aSlotThatIsGoneKeepsAllOfIt() throws Exception {
        String sealed = upkeep.pastPartition(30);
        upkeep.round();
        upkeep.confirmAll();
        String attached = upkeep.pastPartition(20);
        database.run("SELECT pg_drop_replication_slot('outbox')");

        upkeep.round();
        upkeep.call();

        assertThat(upkeep.audit(sealed)).isEqualTo("sealed|there||not dropped: slot outbox does not exist");
        assertThat(upkeep.audit(attached)).isEqualTo("attached|there||not sealed: slot outbox does not exist");
        assertThat(upkeep.isAttached(attached)).isTrue();
    }

    @Test
    void aSlotThatIsLostKeepsAllOfIt() throws Exception {
        String sealed = upkeep.pastPartition(30);
        upkeep.round();
        String attached = upkeep.pastPartition(20);

        database.loseSlot();
        upkeep.round();
        upkeep.call();

        assertThat(upkeep.audit(sealed)).isEqualTo("sealed|there||not dropped: slot outbox is lost");
        assertThat(upkeep.audit(attached)).isEqualTo("attached|there||not sealed: slot outbox is lost");
    }

    @Test
    void everyRegisteredSlotHasToConfirm() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run(
                "SELECT pg_create_logical_replication_slot('second', 'pgoutput')",
                "INSERT INTO outbox_slot VALUES ('second', 'outbox', '0/0')",
                Upkeep.insertFrom(30));
        upkeep.round();

        upkeep.confirmAll();
        upkeep.round();
        assertThat(upkeep.audit(partition)).contains("not dropped: slot second has confirmed");

        database.run("SELECT pg_replication_slot_advance('second', pg_current_wal_insert_lsn())");
        upkeep.round();
        assertThat(upkeep.exists(partition)).isFalse();
    }

    @Test
    void withoutARegisteredSlotNothingGoes() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run("DELETE FROM outbox_slot");

        upkeep.round();

        assertThat(upkeep.audit(partition))
                .isEqualTo("attached|there||not sealed: no slot is registered in public.outbox_slot");
    }

    @Test
    void aSealedPartitionWaitsForTheArchiveWhenToldTo() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run("UPDATE outbox_upkeep SET keep_sealed = true");
        upkeep.round();
        upkeep.confirmAll();
        upkeep.round();
        assertThat(upkeep.audit(partition)).isEqualTo("sealed|there||not dropped: it waits for archived_at");

        database.run("UPDATE outbox_partition SET archived_at = now() WHERE partition_name = '" + partition + "'");
        upkeep.round();

        assertThat(upkeep.exists(partition)).isFalse();
    }

    @Test
    void aPartitionThatSomebodyUsesOrAttachedAgainStays() throws Exception {
        String used = upkeep.pastPartition(30);
        String attachedAgain = upkeep.pastPartition(31);
        upkeep.round();
        upkeep.confirmAll();
        database.run(
                "CREATE VIEW report AS SELECT id FROM " + used,
                "ALTER TABLE " + attachedAgain + " DROP CONSTRAINT outbox_sealed",
                "ALTER TABLE outbox ATTACH PARTITION " + attachedAgain
                        + " FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')");

        upkeep.round();

        assertThat(upkeep.audit(used)).contains("not dropped: cannot drop table");
        assertThat(upkeep.audit(attachedAgain)).isEqualTo("sealed|there||not dropped: it is attached again");
    }

    @Test
    void whatWasDroppedByHandIsNotedSo() throws Exception {
        String attached = upkeep.pastPartition(30);
        database.run("DROP TABLE " + attached);

        upkeep.round();

        assertThat(upkeep.audit(attached)).isEqualTo("attached|dropped|it was gone: dropped by hand|");
    }

    @Test
    void theProcedureDoesTheSame() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run(Upkeep.insertFrom(30), "UPDATE outbox_upkeep SET make_ahead = '40 days'");

        upkeep.call();
        assertThat(upkeep.audit(partition)).matches("sealed\\|there\\|\\|not dropped: slot outbox has confirmed .*");
        assertThat(database.one("SELECT count(*) FROM outbox_partition")).isEqualTo("43");
        assertThat(upkeep.confirmAll()).isEqualTo(1);
        upkeep.call();

        assertThat(upkeep.exists(partition)).isFalse();
    }

    @Test
    void onlyMembersOfTheOwnerMayDoUpkeep() throws SQLException {
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop");
        for (String role : List.of("shop", "outbox_cdc", "outbox_monitor")) {
            for (String upkeepCall : List.of(
                    "CALL public.outbox_maintain()",
                    "SELECT public.outbox_make_partitions()",
                    "SELECT public.outbox_close_partition()",
                    "SELECT public.outbox_detach_partition('outbox_past_30')",
                    "SELECT public.outbox_drop_partitions()",
                    "SELECT public.outbox_delete_old()",
                    "SELECT public.outbox_slots_behind(NULL)",
                    "SELECT public.outbox_note_kept('outbox_past_30', 'x')",
                    "UPDATE public.outbox_upkeep SET retention = '1 hour'",
                    "DELETE FROM public.outbox_partition")) {
                assertThatThrownBy(() -> database.runAs(role, upkeepCall))
                        .as("%s: %s", role, upkeepCall)
                        .hasMessageContaining("permission denied");
            }
        }
        assertThat(database.queryAs("outbox_monitor", "SELECT count(*) FROM outbox_partition CROSS JOIN outbox_upkeep"))
                .containsExactly("9");
    }
}
