package io.outboxcdc.it.faults;

import io.outboxcdc.client.ledger.Aggregate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** What the stream itself may hold, met by a fault at the worst moment. */
@Tag("faults")
@ParameterizedClass
@EnumSource(Profile.class)
class StreamFaultsIT {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final Aggregate LONG_RUNNING = new Aggregate("slow", "a");
    private static final Aggregate QUICK = new Aggregate("quick", "b");
    private static final Aggregate BULK = new Aggregate("bulk", "c");

    @SuppressWarnings("NullAway.Init")
    private static FaultStack stack;

    /** Named by JUnit in the report. */
    @Parameter
    @SuppressWarnings("NullAway.Init")
    Profile profile;

    @BeforeParameterizedClassInvocation
    static void start(Profile profile) {
        stack = FaultStack.start(profile);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    /** A transaction that began before others committed, with a position confirmed in between, and a restart. */
    @Test
    void anOpenTransactionIsWholeAfterARestartBetweenItsRows() throws Exception {
        try (Trial trial = stack.trialWithoutLoad("restart within an open transaction")) {
            for (int round = 0; round < 5; round++) {
                try (Connection open = stack.open();
                        Connection other = stack.open()) {
                    List<UUID> rows = new ArrayList<>(FaultStack.insert(open, "slow", "a", 3));
                    trial.committed(QUICK, commit(other, FaultStack.insert(other, "quick", "b", 3)));
                    rows.addAll(FaultStack.insert(open, "slow", "a", 3));
                    stack.awaitConfirmed();
                    trial.hurt(
                            round % 2 == 0
                                    ? stack::restartConnector
                                    : () -> stack.worker().kill());
                    rows.addAll(FaultStack.insert(open, "slow", "a", 3));
                    trial.committed(LONG_RUNNING, commit(open, rows));
                }
                if (!stack.worker().isAlive()) {
                    stack.worker().start();
                }
            }

            assertThat(trial.finish()).matches(Outcome::keepsThePromise);
        }
    }

    /** The rows of a COPY share a position in the WAL. */
    @Test
    void aCopyIsWholeAfterAKillInItsMiddle() throws Exception {
        try (Trial trial = stack.trialWithoutLoad("COPY with a worker SIGKILL")) {
            for (int round = 0; round < 3; round++) {
                List<UUID> ids =
                        Stream.generate(UUID::randomUUID).limit(100_000).toList();
                trial.committed(BULK, copy(ids));
                awaitOutstandingBelow(trial, 95_000);
                trial.hurt(() -> FaultStack.killAndStart(stack.worker()));
            }

            assertThat(trial.finish()).matches(Outcome::keepsThePromise);
        }
    }

    @Test
    void aMillionRowsInOneTransactionAreWholeAfterAKillInTheMiddle() throws Exception {
        try (Trial trial = stack.trialWithoutLoad("1,000,000 rows in one transaction, SIGKILL")) {
            try (Connection connection = stack.open()) {
                trial.committed(BULK, commit(connection, FaultStack.insert(connection, "bulk", "c", 1_000_000)));
            }
            awaitOutstandingBelow(trial, 500_000);
            trial.hurt(() -> FaultStack.killAndStart(stack.worker()));

            assertThat(trial.finish()).matches(Outcome::keepsThePromise);
        }
    }

    @Test
    void columnsComeAndGoWhileTheWorkerIsDown() throws Exception {
        try (Trial trial = stack.trial("columns added and dropped, worker down")) {
            trial.fault(() -> {
                stack.worker().kill();
                stack.execute("ALTER TABLE public.outbox ADD COLUMN region text");
                stack.execute("ALTER TABLE public.outbox ALTER COLUMN region SET DEFAULT 'here'");
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> stack.text("SELECT count(*) > 100 FROM public.outbox WHERE region = 'here'")
                                .equals("t"));
                stack.execute("ALTER TABLE public.outbox DROP COLUMN region");
                stack.worker().start();
            });

            assertThat(trial.finish()).matches(Outcome::keepsThePromise);
        }
    }

    @Test
    void deletingAndTruncatingTheOutboxMakesNoRecordAndLosesNone() throws Exception {
        try (Trial trial = stack.trial("DELETE and TRUNCATE under load, SIGKILL")) {
            for (int round = 0; round < 3; round++) {
                trial.fault(() -> {
                    stack.execute("DELETE FROM public.outbox");
                    stack.worker().kill();
                    stack.execute("TRUNCATE public.outbox");
                    stack.worker().start();
                });
            }

            assertThat(trial.finish()).matches(Outcome::keepsThePromise);
        }
    }

    @Test
    void aPreparedTransactionArrivesWhenItIsCommittedAndNotBefore() throws Exception {
        stack.execute("ALTER SYSTEM SET max_prepared_transactions = 10");
        stack.postgres().stop();
        stack.postgres().start();
        try (Trial trial = stack.trialWithoutLoad("prepared transaction over a restart")) {
            List<UUID> rows;
            try (Connection connection = stack.open();
                    Statement statement = connection.createStatement()) {
                rows = FaultStack.insert(connection, "slow", "prepared", 5);
                statement.execute("PREPARE TRANSACTION 'waiting'");
            }
            stack.awaitConfirmed();
            trial.committed(new Aggregate("slow", "prepared"), rows);
            trial.hurt(() -> FaultStack.killAndStart(stack.worker()));
            try (Connection follower = stack.open()) {
                trial.committed(QUICK, commit(follower, FaultStack.insert(follower, "quick", "b", 3)));
            }
            awaitOutstandingBelow(trial, rows.size() + 1);
            assertThat(trial.outstanding()).isEqualTo(rows.size());

            stack.execute("COMMIT PREPARED 'waiting'");

            assertThat(trial.finish()).matches(Outcome::keepsThePromise);
        }
    }

    /** Fails when everything has arrived before: the fault would then meet nothing. */
    private static void awaitOutstandingBelow(Trial trial, long rows) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofMinutes(3))
                .until(() -> trial.outstanding() < rows);
        assertThat(trial.outstanding()).isPositive();
    }

    private static List<UUID> commit(Connection connection, List<UUID> ids) throws Exception {
        connection.commit();
        return ids;
    }

    private static List<UUID> copy(List<UUID> ids) throws Exception {
        String rows = IntStream.range(0, ids.size())
                .mapToObj(n -> "%s\tbulk\tc\tChanged\t{\"n\": %d}\n".formatted(ids.get(n), n))
                .collect(Collectors.joining());
        try (Connection connection = stack.open()) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "COPY public.outbox (id, aggregate_type, aggregate_id, event_type, payload) FROM STDIN",
                            new StringReader(rows));
            connection.commit();
        }
        return ids;
    }
}
