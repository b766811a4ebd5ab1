package io.outboxcdc.it.sql;

import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.Observation;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.core.SlotFacts;
import io.outboxcdc.monitor.core.SlotMemory;
import io.outboxcdc.monitor.core.SlotState;
import io.outboxcdc.monitor.core.StateDecision;
import io.outboxcdc.monitor.core.StateFinding;
import io.outboxcdc.monitor.core.Thresholds;
import io.outboxcdc.monitor.core.TimeLag;
import io.outboxcdc.monitor.read.DatabaseTarget;
import io.outboxcdc.monitor.read.PostgresReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** What the monitor reads as a role with pg_monitor alone, from servers that are really in the state. */
@ParameterizedClass
@EnumSource
class SlotReadingIT {

    private static final Map<String, String> SETTINGS = Map.of(
            "wal_level", "logical",
            "synchronous_commit", "on",
            "max_slot_wal_keep_size", "16MB",
            "min_wal_size", "32MB",
            "max_wal_size", "32MB",
            "max_prepared_transactions", "4");

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;
    private PostgresReader reader;

    @SuppressWarnings("NullAway.Init") // before each test
    SlotReadingIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version, SETTINGS);
        database.apply();
        reader = reader("outbox_monitor");
    }

    @AfterEach
    void close() {
        reader.close();
    }

    private PostgresReader reader(String user) {
        return new PostgresReader(new DatabaseTarget(
                "test",
                database.url(user),
                user,
                "",
                List.of(expected()),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                List.of()));
    }

    private static ExpectedSlot expected() {
        return new ExpectedSlot("test", "outbox", "outbox", "public.outbox", Optional.empty(), false);
    }

    @Test
    void aFreshOutboxIsReadWhole() throws SQLException {
        database.run(Events.INSERT);

        ServerFacts facts = read();

        SlotFacts slot = requireNonNull(facts.slots().get("outbox"));
        assertThat(facts.majorVersion()).isBetween(14, 18);
        assertThat(facts.settings().walLevel()).isEqualTo("logical");
        assertThat(facts.settings().maxSlotWalKeepBytes()).hasValue(16L * 1024 * 1024);
        assertThat(facts.settings().walSenderTimeoutMillis()).isEqualTo(60_000);
        assertThat(facts.wal().bytes()).isGreaterThanOrEqualTo(facts.settings().walSegmentBytes());
        assertThat(facts.wal().diskFree()).isEmpty();
        assertThat(facts.systemIdentifier()).isNotEmpty();
        assertThat(slot.active()).isFalse();
        assertThat(slot.isLost()).isFalse();
        assertThat(slot.unconfirmedBytes(facts.flushed())).isPositive();
        assertThat(slot.retainedBytes(facts.head())).isGreaterThanOrEqualTo(slot.unconfirmedBytes(facts.flushed()));
        assertThat(slot.failover()).isEqualTo(version.isAtLeast(17));
        assertThat(requireNonNull(facts.publications().get("outbox")).oid()).isPresent();
        assertThat(facts.holders()).isNotEmpty();
        assertThat(state().state()).isEqualTo(SlotState.INACTIVE);
    }

    @Test
    void itIsKnownByItsName() throws SQLException {
        read();

        assertThat(database.query("SELECT application_name FROM pg_stat_activity WHERE usename = 'outbox_monitor'"))
                .containsExactly("slot-monitor");
    }

    @Test
    void aSlotThatIsGoneIsMissingAndAlsoWhenAnotherDatabaseHasOneOfItsName() throws SQLException {
        TestDatabase other = databases.create(version, SETTINGS);
        database.run("SELECT pg_drop_replication_slot('outbox')");
        assertThat(state().state()).isEqualTo(SlotState.MISSING);

        other.run("SELECT pg_create_logical_replication_slot('outbox', 'pgoutput')");
        assertThat(state().state()).isEqualTo(SlotState.MISSING);
    }

    @Test
    void everyWayToBreakThePublicationIsSeen() throws SQLException {
        database.run("CREATE TABLE other (id int PRIMARY KEY)", "ALTER PUBLICATION outbox SET TABLE other");
        assertThat(state().cause()).contains("does not contain table public.outbox");

        database.run("ALTER PUBLICATION outbox SET TABLE outbox", "ALTER PUBLICATION outbox SET (publish = 'update')");
        assertThat(state().cause()).contains("does not publish inserts");

        database.run("DROP PUBLICATION outbox");
        assertThat(state().cause()).contains("publication outbox does not exist");

        database.run("CREATE PUBLICATION outbox FOR ALL TABLES WITH (publish = 'insert')");
        assertThat(state().state()).isEqualTo(SlotState.INACTIVE);

        database.run("ALTER TABLE outbox SET UNLOGGED");
        assertThat(state().cause()).contains("UNLOGGED");

        database.run("DROP TABLE outbox");
        assertThat(state().cause()).contains("table public.outbox does not exist");
    }

    @Test
    void aColumnListWithoutThePayloadIsSeen() throws SQLException {
        assumeThat(version.isAtLeast(15)).as("column lists").isTrue();
        database.run("ALTER PUBLICATION outbox SET TABLE outbox (id, aggregate_type, aggregate_id)");

        assertThat(state().cause()).contains("leaves out event_type, payload, headers");
    }

    @Test
    void aPartitionedOutboxNeedsThePublicationToGoThroughItsRoot() throws SQLException {
        database.run(
                "ALTER TABLE outbox RENAME TO plain",
                "CREATE TABLE outbox (LIKE plain) PARTITION BY RANGE (created_at)",
                "CREATE TABLE outbox_2026 PARTITION OF outbox FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
                "ALTER PUBLICATION outbox SET TABLE outbox");
        assertThat(state().state()).isEqualTo(SlotState.INACTIVE);
        assertThat(requireNonNull(read().outboxes().get("outbox")).partitions())
                .singleElement()
                .satisfies(partition -> assertThat(partition.bounds()).contains("2026-01-01"));

        database.run("ALTER PUBLICATION outbox SET (publish_via_partition_root = false)");

        assertThat(state().state()).isEqualTo(SlotState.PUBLICATION_BROKEN);
        assertThat(state().cause()).contains("publish_via_partition_root");
    }

    @Test
    void aSlotPastTheServersLimitIsLost() throws SQLException {
        database.run("CREATE TABLE noise (filler text)");
        long safe = requireNonNull(read().slots().get("outbox")).safeWalSize().orElseThrow();

        database.run("INSERT INTO noise SELECT repeat(n::text, 200) FROM generate_series(1, 5000) n");
        assertThat(requireNonNull(read().slots().get("outbox")).safeWalSize().orElseThrow())
                .isLessThan(safe);

        database.loseSlot();
        assertThat(state().state()).isEqualTo(SlotState.LOST);
        assertThat(state().cause()).contains(version.isAtLeast(17) ? "wal_removed" : "max_slot_wal_keep_size");
        SlotFacts lost = read().slots().get("outbox");
        assertThat(lost.retainedBytes(read().head())).isZero();
    }

    @Test
    void transactionsThatHoldTheWalAreNamed() throws SQLException {
        try (Connection writer = database.connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("SET application_name = 'billing'");
            statement.execute("CREATE TABLE business ()");
            assertThat(read().writers()).singleElement().satisfies(open -> {
                assertThat(open.prepared()).isFalse();
                assertThat(open.application()).contains("billing");
            });
            statement.execute("PREPARE TRANSACTION 'forgotten'");
        }

        assertThat(read().writers()).singleElement().satisfies(open -> {
            assertThat(open.prepared()).isTrue();
            assertThat(open.id()).isEqualTo("forgotten");
        });
        database.run("ROLLBACK PREPARED 'forgotten'");
    }

    @Test
    void aHeartbeatMovesTheWalAlthoughTheConnectionReadsOnly() throws SQLException {
        String before = database.one("SELECT pg_current_wal_insert_lsn()");

        reader.emitHeartbeat();

        assertThat(database.one("SELECT pg_current_wal_insert_lsn() > '" + before + "'"))
                .isEqualTo("t");
    }

    @Test
    void aConnectionThatIsCutIsMadeAnew() throws SQLException {
        read();
        database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'outbox_monitor'");

        assertThat(reader.read().reason()).isPresent();
        await().atMost(Duration.ofSeconds(20)).until(() -> reader.read().value().isPresent());
    }

    @Test
    void whatHappensNowIsSaidWhenTheDatabaseCannotBeEntered() {
        try (PostgresReader stranger = reader("nobody_known")) {
            assertThat(stranger.read().reason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("nobody_known"));
        }
    }

    private ServerFacts read() {
        Reading<ServerFacts> reading = reader.read();
        assertThat(reading.reason()).isEmpty();
        return reading.value().orElseThrow();
    }

    private StateFinding state() {
        ServerFacts facts = read();
        return new StateDecision(Thresholds.USUAL)
                .of(new Observation(
                        Instant.now(),
                        expected(),
                        Reading.known(facts),
                        Optional.empty(),
                        reader.head(),
                        Optional.empty(),
                        Optional.empty(),
                        new TimeLag(0, false),
                        SlotMemory.begin(Instant.now())));
    }
}
