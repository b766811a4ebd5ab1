package io.outboxcdc.it.faults;

import io.outboxcdc.client.ledger.Aggregate;
import io.outboxcdc.client.ledger.Verdict;
import io.outboxcdc.it.DocumentedSql;
import io.outboxcdc.it.TestHome;
import io.outboxcdc.stack.sql.OutboxSql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Whatever becomes of a slot: nothing is lost after the steps of "When a slot is lost or gone" in sql/README.md. */
@Tag("faults")
class SlotFaultsIT {

    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Path SCRIPTS = TestHome.path().resolve("sql");
    private static final Aggregate ORDER = new Aggregate("order", "o1");

    @SuppressWarnings("NullAway.Init")
    private static FaultStack stack;

    @TempDir
    private Path folder;

    /** What somebody or something does to the slot of a connector that does not run. */
    enum Mishap {
        DROPPED {
            @Override
            void befall(FaultStack stack) throws SQLException {
                stack.execute("SELECT pg_drop_replication_slot('outbox')");
            }
        },
        MADE_ANEW {
            @Override
            void befall(FaultStack stack) throws SQLException {
                DROPPED.befall(stack);
                stack.execute("SELECT pg_create_logical_replication_slot('outbox', 'pgoutput')");
            }
        },
        ADVANCED {
            @Override
            void befall(FaultStack stack) throws SQLException {
                stack.execute("SELECT pg_replication_slot_advance('outbox', pg_current_wal_lsn())");
            }
        },
        WAL_REMOVED {
            @Override
            void befall(FaultStack stack) throws SQLException {
                stack.execute("ALTER SYSTEM SET max_slot_wal_keep_size = '32MB'");
                stack.execute("SELECT pg_reload_conf()");
                awaitLost(stack, "INSERT INTO public.noise SELECT repeat('x', 8000) FROM generate_series(1, 3000)");
                stack.execute("ALTER SYSTEM RESET max_slot_wal_keep_size");
                stack.execute("SELECT pg_reload_conf()");
            }
        },
        IDLE_FOR_TOO_LONG {
            @Override
            void befall(FaultStack stack) throws SQLException {
                stack.execute("ALTER SYSTEM SET idle_replication_slot_timeout = '1s'");
                stack.execute("SELECT pg_reload_conf()");
                awaitLost(stack, "INSERT INTO public.noise VALUES ('x')");
                stack.execute("ALTER SYSTEM RESET idle_replication_slot_timeout");
                stack.execute("SELECT pg_reload_conf()");
            }
        };

        abstract void befall(FaultStack stack) throws SQLException;

        private static void awaitLost(FaultStack stack, String write) throws SQLException {
            stack.execute("CREATE TABLE IF NOT EXISTS public.noise (text text)");
            await().atMost(SOON).until(() -> {
                stack.execute(write);
                stack.execute("CHECKPOINT");
                return stack.text("SELECT wal_status FROM pg_replication_slots WHERE slot_name = 'outbox'")
                        .equals("lost");
            });
        }
    }

    @BeforeAll
    static void start() {
        stack = FaultStack.start(Profile.EXACTLY_ONCE);
    }

    @AfterAll
    static void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDocumentedWayLosesNothingAndKeepsTheOrder(Mishap mishap) throws Exception {
        String since = stack.text("SELECT clock_timestamp()");
        try (Trial trial = stack.trialWithoutLoad("slot " + mishap + ", then the documented way")) {
            write(trial, 20);
            stack.awaitConfirmed();
            stack.connector("PUT", "/stop");
            stack.awaitNoReader();
            write(trial, 20);

            trial.hurt(() -> mishap.befall(stack));
            write(trial, 20);
            assertThat(trial.outstanding()).isEqualTo(2 * 20 * 4);
            recover(since);
            write(trial, 20);

            Verdict verdict = trial.finish().verdict();
            assertThat(verdict.lost()).isZero();
            assertThat(verdict.outOfOrder()).isZero();
            assertThat(verdict.deadLettered()).isZero();
        }
    }

    /** A slot that is gone or lost is never read again, whoever starts the connector: nothing is skipped in silence. */
    @ParameterizedTest
    @EnumSource(names = {"DROPPED", "WAL_REMOVED", "IDLE_FOR_TOO_LONG"})
    void aConnectorStartedOnALostSlotPublishesNothingAndMakesNoSlot(Mishap mishap) throws Exception {
        String since = stack.text("SELECT clock_timestamp()");
        try (Trial trial = stack.trialWithoutLoad("slot " + mishap + ", connector started")) {
            write(trial, 5);
            stack.awaitConfirmed();
            stack.connector("PUT", "/stop");
            stack.awaitNoReader();
            mishap.befall(stack);
            write(trial, 5);

            trial.hurt(() -> stack.connector("PUT", "/resume"));
            await().during(Duration.ofSeconds(20)).atMost(SOON).until(() -> trial.outstanding() == 5 * 4);
            assertThat(stack.text("SELECT count(*) FROM pg_replication_slots WHERE wal_status <> 'lost'"))
                    .isEqualTo("0");

            recover(since);
            assertThat(trial.finish().verdict().lost()).isZero();
        }
    }

    /** PostgreSQL 18 skips what is written without the publication, in silence; sent again, it comes late. */
    @Test
    void rowsWrittenWithoutAPublicationAreThereOnceSentAgain() throws Exception {
        try (Trial trial = stack.trialWithoutLoad("publication dropped and made anew, then sent again")) {
            write(trial, 5);
            stack.awaitConfirmed();
            String since = stack.text("SELECT clock_timestamp()");
            trial.hurt(() -> {
                stack.execute("DROP PUBLICATION outbox");
                write(trial, 5);
                apply("30_publication.sql");
            });
            write(trial, 5);
            stack.awaitConfirmed();

            sendAgain(since);

            Verdict verdict = trial.finish().verdict();
            assertThat(verdict.lost()).isZero();
            assertThat(verdict.deadLettered()).isZero();
        }
    }

    /** Transactions of two statements each, one after the other. */
    private static void write(Trial trial, int transactions) throws SQLException {
        try (Connection connection = stack.open()) {
            for (int n = 0; n < transactions; n++) {
                var first = FaultStack.insert(connection, ORDER.type(), ORDER.id(), 2);
                var second = FaultStack.insert(connection, ORDER.type(), ORDER.id(), 2);
                connection.commit();
                trial.committed(ORDER, first);
                trial.committed(ORDER, second);
            }
        }
    }

    /** As the page says it, with the time from which to send again. */
    private void recover(String since) throws Exception {
        stack.connector("PUT", "/stop");
        stack.awaitNoReader();
        stack.execute("REVOKE INSERT ON outbox FROM outbox_writer");
        stack.execute(
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'outbox'");
        stack.execute("DELETE FROM outbox_slot WHERE slot_name = 'outbox'");
        apply("40_slot.sql");
        sendAgain(since);
        apply("50_grants.sql");
        stack.connector("DELETE", "/offsets");
        stack.connector("PUT", "/resume");
    }

    private static void sendAgain(String since) throws Exception {
        String again = DocumentedSql.in(SCRIPTS.resolve("README.md"), "When a slot is lost or gone")
                .get(0);
        stack.execute(again.replace("2026-01-31 12:00+00", since));
    }

    private void apply(String script) throws Exception {
        Path only = Files.createTempDirectory(folder, "script");
        Files.copy(SCRIPTS.resolve(script), only.resolve(script));
        try (Connection connection = stack.stack().postgres().connect()) {
            OutboxSql.inFolder(only).applyTo(connection);
        }
    }
}
