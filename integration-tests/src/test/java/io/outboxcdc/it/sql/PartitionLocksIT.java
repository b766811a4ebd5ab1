package io.outboxcdc.it.sql;

import io.outboxcdc.client.upkeep.OutboxUpkeep;
import io.outboxcdc.client.upkeep.UpkeepStep;
import io.outboxcdc.client.upkeep.UpkeepStep.Kind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static io.outboxcdc.it.sql.Upkeep.objects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Upkeep beside writers. They are given a {@code lock_timeout} of their own, so that it is the server that says when one has
 * waited too long: nothing is timed here.
 */
@ParameterizedClass
@EnumSource
class PartitionLocksIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String PENDING =
            "SELECT 1 FROM pg_inherits WHERE inhparent = 'outbox'::regclass AND inhdetachpending";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    private Upkeep upkeep;

    @SuppressWarnings("NullAway.Init") // before each test
    PartitionLocksIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createOutbox() throws SQLException {
        database = databases.create(version);
        upkeep = Upkeep.of(database, "day");
    }

    /** The whole life at once, with writers that never wait 100 ms. */
    @Test
    void noWriterWaitsForALockWhilePartitionsComeAndGo() throws Exception {
        List<String> partitions = List.of(upkeep.pastPartition(30), upkeep.pastPartition(29), upkeep.pastPartition(28));
        for (int day = 28; day <= 30; day++) {
            database.run(Upkeep.insertFrom(day));
        }
        database.run("UPDATE outbox_upkeep SET make_ahead = '30 days'");
        try (ConstantWriters writers = ConstantWriters.start(database, 4, "100ms")) {
            writers.awaitProgress();
            List<UpkeepStep> first = upkeep.round();
            writers.awaitProgress();
            upkeep.confirmAll();
            List<UpkeepStep> second = upkeep.round();
            writers.awaitProgress();

            assertThat(objects(first, Kind.MADE)).hasSize(23);
            assertThat(objects(first, Kind.SEALED)).containsExactlyElementsOf(partitions);
            assertThat(objects(second, Kind.DROPPED)).containsExactlyElementsOf(partitions);
            assertThat(writers.failures()).isEmpty();
        }
    }

    @Test
    void aWriterThatStaysOpenIsWaitedForAndHoldsUpNobodyElse() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run(Upkeep.insertFrom(30));
        try (Connection open = database.connect();
                Statement insert = open.createStatement();
                ConstantWriters writers = ConstantWriters.start(database, 2, "100ms")) {
            open.setAutoCommit(false);
            insert.execute(Events.INSERT);

            CompletableFuture<List<UpkeepStep>> round = upkeep.roundInBackground();
            Awaitility.await().atMost(SOON).until(() -> !database.query(PENDING).isEmpty());
            writers.awaitProgress();
            assertThat(round).isNotDone();
            open.commit();

            assertThat(objects(round.get(30, TimeUnit.SECONDS), Kind.SEALED)).containsExactly(partition);
            assertThat(writers.failures()).isEmpty();
        }
    }

    /**
     * While a partition is being detached, a transaction of this kind may still write into it, and such a row is not decoded:
     * it would be lost without a word. So the partition is closed before.
     */
    @Test
    void aRepeatableReadWriterCannotPutAnEventWhereItWouldNotBeDecoded() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run(Upkeep.insertFrom(30));
        try (Connection writer = database.connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            writer.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute(Events.INSERT);
            CompletableFuture<List<UpkeepStep>> round = upkeep.roundInBackground();
            Awaitility.await().atMost(SOON).until(() -> !database.query(PENDING).isEmpty());

            statement.execute("SAVEPOINT before");
            assertThatThrownBy(() -> statement.execute(Upkeep.insertFrom(30)))
                    .hasMessageContaining("event refused by \"outbox_sealed\": created_at is older");
            statement.execute("ROLLBACK TO before");
            writer.commit();

            assertThat(objects(round.get(30, TimeUnit.SECONDS), Kind.SEALED)).containsExactly(partition);
        }
        assertThat(upkeep.confirmAll()).isEqualTo(2);
    }

    @Test
    void aDetachThatWasInterruptedIsFinishedByTheNextRoundOfEitherKind() throws Exception {
        for (boolean byProcedure : List.of(false, true)) {
            int day = byProcedure ? 31 : 30;
            String partition = upkeep.pastPartition(day);
            try (Connection open = database.connect();
                    Statement insert = open.createStatement()) {
                open.setAutoCommit(false);
                insert.execute(Events.INSERT);
                database.run("SELECT FROM public.outbox_close_partition()", "SET lock_timeout = '50ms'");
                assertThatThrownBy(() ->
                                database.run("ALTER TABLE outbox DETACH PARTITION " + partition + " CONCURRENTLY"))
                        .hasMessageContaining("lock timeout");
                database.run("RESET lock_timeout");
                assertThat(database.query(PENDING)).hasSize(1);
            }

            if (byProcedure) {
                upkeep.call();
            } else {
                upkeep.round();
            }

            assertThat(upkeep.isAttached(partition)).isFalse();
            assertThat(upkeep.audit(partition)).startsWith("sealed|");
        }
    }

    /** As when the process that ran the round was killed at the worst moment. */
    @Test
    void aDetachThatNobodyCouldNoteIsSealedByTheNextRound() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run(
                Upkeep.insertFrom(30),
                "SELECT FROM public.outbox_close_partition()",
                "ALTER TABLE outbox DETACH PARTITION " + partition + " CONCURRENTLY");
        assertThat(upkeep.audit(partition)).startsWith("attached|");

        List<UpkeepStep> steps = upkeep.round();

        assertThat(objects(steps, Kind.SEALED)).containsExactly(partition);
        assertThat(upkeep.audit(partition)).startsWith("sealed|there|");
    }

    @Test
    void theProcedureLetsWritersThroughBetweenItsAttemptsAndSaysThatItGaveUp() throws Exception {
        String partition = upkeep.pastPartition(30);
        assertThat(database.one("SELECT lock_timeout_ms <= 100 FROM outbox_upkeep"))
                .isEqualTo("t");
        assertThatThrownBy(() -> database.run("UPDATE outbox_upkeep SET lock_timeout_ms = 101"))
                .hasMessageContaining("lock_timeout_ms");
        try (Connection open = database.connect();
                Statement insert = open.createStatement();
                ConstantWriters writers = ConstantWriters.start(database, 2, "2s")) {
            open.setAutoCommit(false);
            insert.execute(Events.INSERT);

            upkeep.call();
            writers.awaitProgress();

            assertThat(upkeep.isAttached(partition)).isTrue();
            assertThat(upkeep.audit(partition)).contains("not sealed: canceling statement due to lock timeout");
            open.commit();
            Awaitility.await().atMost(SOON).until(() -> {
                upkeep.call();
                return !upkeep.isAttached(partition);
            });
            assertThat(writers.failures()).isEmpty();
        }
        assertThat(upkeep.audit(partition)).startsWith("sealed|");
    }

    @Test
    void anOutboxWithADefaultPartitionIsDetachedFromUnderAShortLock() throws Exception {
        String partition = upkeep.pastPartition(30);
        database.run("CREATE TABLE outbox_rest PARTITION OF outbox DEFAULT");

        assertThat(objects(upkeep.round(), Kind.SEALED)).containsExactly(partition);
        assertThat(upkeep.isAttached(partition)).isFalse();
    }

    @Test
    void aPartitionThatIsReadIsLeftForTheNextRound() throws Exception {
        String partition = upkeep.pastPartition(30);
        try (Connection open = database.connect();
                Statement report = open.createStatement()) {
            open.setAutoCommit(false);
            report.execute("SELECT count(*) FROM " + partition);

            List<UpkeepStep> steps = upkeep.round();

            assertThat(steps)
                    .singleElement()
                    .asString()
                    .startsWith("kept " + partition + ": not closed, it is in use: ");
        }
        assertThat(objects(upkeep.round(), Kind.SEALED)).containsExactly(partition);
    }

    @Test
    void twoRoundsAtOnceAreOne() throws Exception {
        upkeep.pastPartition(30);
        try (Connection other = database.connect();
                Statement lock = other.createStatement()) {
            lock.execute("SELECT pg_advisory_lock(hashtextextended('outbox upkeep', 0))");

            assertThat(upkeep.round()).singleElement().hasToString("kept outbox: another upkeep is running");
            upkeep.call();
        }
        assertThat(upkeep.audit("outbox_past_30")).isEqualTo("attached|there||");
        assertThat(objects(upkeep.round(), Kind.SEALED)).hasSize(1);
    }

    @Test
    void aConnectionWithATransactionOfItsOwnIsRefused() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> OutboxUpkeep.round(connection))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("auto-commit");
        }
    }
}
