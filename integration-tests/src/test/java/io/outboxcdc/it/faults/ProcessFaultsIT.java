package io.outboxcdc.it.faults;

import io.outboxcdc.stack.StackProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Each part of the pipeline is killed, frozen, stopped and started again while events are written. */
@Tag("faults")
@ParameterizedClass
@EnumSource(Profile.class)
class ProcessFaultsIT {

    private static final int ROUNDS = 20;

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

    @Test
    void aWorkerKilledTwentyTimesUnderLoad() throws Exception {
        Outcome outcome = repeat("worker SIGKILL", ROUNDS, () -> FaultStack.killAndStart(stack.worker()));

        assertThat(outcome).matches(Outcome::keepsThePromise);
        assertThat(outcome.taskRestarts()).isZero();
    }

    @Test
    void aWorkerFrozenForLongerThanItsSession() throws Exception {
        Outcome outcome = repeat("worker SIGSTOP for 20 s", 2, () -> freeze(stack.worker(), 20));

        assertThat(outcome).matches(Outcome::keepsThePromise);
    }

    @Test
    void aConnectorRestartedUnderOverlappingTransactions() throws Exception {
        Outcome outcome = repeat("connector restart", ROUNDS, stack::restartConnector);

        assertThat(outcome).matches(Outcome::keepsThePromise);
        assertThat(outcome.taskRestarts()).isZero();
    }

    @Test
    void aBrokerKilledUnderLoad() throws Exception {
        Outcome outcome = repeat("broker SIGKILL", 5, () -> FaultStack.killAndStart(stack.broker()));

        assertThat(outcome).matches(Outcome::keepsThePromise);
    }

    @Test
    void aBrokerFrozenUnderLoad() throws Exception {
        Outcome outcome = repeat("broker SIGSTOP for 30 s", 2, () -> freeze(stack.broker(), 30));

        assertThat(outcome).matches(Outcome::keepsThePromise);
    }

    /** Ninety seconds, not ten minutes: all clocks that matter (session, request, transaction timeouts) are over. */
    @Test
    void noBrokerForLongerThanEveryTimeout() throws Exception {
        Outcome outcome = repeat("no broker for 90 s", 1, () -> {
            stack.broker().kill();
            Thread.sleep(90_000);
            stack.broker().start();
        });

        assertThat(outcome).matches(Outcome::keepsThePromise);
    }

    @Test
    void aDatabaseKilledUnderLoad() throws Exception {
        Outcome outcome = repeat("PostgreSQL SIGKILL", 5, () -> FaultStack.killAndStart(stack.postgres()));

        assertThat(outcome).matches(Outcome::keepsThePromise);
        assertThat(outcome.taskRestarts()).isZero();
    }

    @Test
    void aDatabaseFrozenUnderLoad() throws Exception {
        Outcome outcome = repeat("PostgreSQL SIGSTOP for 20 s", 2, () -> freeze(stack.postgres(), 20));

        assertThat(outcome).matches(Outcome::keepsThePromise);
        assertThat(outcome.taskRestarts()).isZero();
    }

    private static Outcome repeat(String name, int rounds, Trial.Fault fault) throws Exception {
        try (Trial trial = stack.trial(name)) {
            for (int round = 0; round < rounds; round++) {
                trial.fault(fault);
            }
            return trial.finish();
        }
    }

    private static void freeze(StackProcess part, int seconds) throws InterruptedException {
        part.freeze();
        Thread.sleep(seconds * 1000L);
        part.thaw();
    }
}
