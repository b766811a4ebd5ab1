package io.outboxcdc.it.faults;

import io.outboxcdc.cli.demo.ArrivedEvent;
import io.outboxcdc.cli.demo.EventReader;
import io.outboxcdc.client.ledger.Aggregate;
import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.client.ledger.Verdict;
import io.outboxcdc.it.TestHome;
import io.outboxcdc.stack.ConnectorStatus;
import io.outboxcdc.stack.LocalStack;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StackProcess;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** A load on a running pipeline, the faults done to it, and the ledger that judges. */
final class Trial implements AutoCloseable {

    private static final double TRANSACTIONS_PER_SECOND = 250;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration LONG = Duration.ofSeconds(10);

    private final LocalStack stack;
    private final String name;
    private final Profile profile;
    private final Ledger ledger = new Ledger();
    private final FlowWatch flow = new FlowWatch();
    private final EventReader reader;
    private final Optional<Load> load;
    private final List<Duration> recoveries = new ArrayList<>();
    private final long begin = System.nanoTime();
    private int faults;
    private long sequence;
    private int taskRestarts;

    private Trial(LocalStack stack, String name, Profile profile, OptionalLong seed) throws SQLException {
        this.stack = stack;
        this.name = name;
        this.profile = profile;
        this.reader = EventReader.start(stack.bootstrapServers(), this::arrived);
        this.load = seed.isPresent()
                ? Optional.of(Load.start(stack.postgres(), ledger, flow, TRANSACTIONS_PER_SECOND, seed.getAsLong()))
                : Optional.empty();
    }

    /** Starts the load and waits until its events flow. */
    static Trial start(LocalStack stack, String name, Profile profile) throws SQLException {
        long seed = Long.getLong("outbox.faults.seed", System.nanoTime());
        System.out.printf("%s, %s: seed %d%n", name, profile.label(), seed);
        Trial trial = new Trial(stack, name, profile, OptionalLong.of(seed));
        trial.flow.faultIsOver();
        trial.awaitFlow();
        return trial;
    }

    /** Without a load: the test writes rows itself, and tells the ledger of them by {@link #committed}. */
    static Trial withoutLoad(LocalStack stack, String name, Profile profile) throws SQLException {
        return new Trial(stack, name, profile, OptionalLong.empty());
    }

    /** Notes the ids that a transaction of the test has committed, in the order of its statements. */
    void committed(Aggregate aggregate, List<UUID> ids) {
        for (UUID id : ids) {
            ledger.committed(id, aggregate, ++sequence);
        }
    }

    /** How much of what is committed has not arrived so far. */
    long outstanding() {
        return ledger.outstanding();
    }

    /** A fault after which nothing is waited for. */
    void hurt(Fault fault) throws Exception {
        faults++;
        fault.happen();
    }

    /** Hurts the pipeline and waits until events flow that were committed afterwards. */
    void fault(Fault fault) throws Exception {
        faults++;
        flow.faultBegins();
        fault.happen();
        flow.faultIsOver();
        awaitFlow();
        Duration recovery = flow.recovery().orElseThrow();
        recoveries.add(recovery);
        if (recovery.compareTo(LONG) > 0) {
            keepLogs();
        }
        // Each fault meets a pipeline that has come to its pace again.
        Awaitility.await(name + ": the backlog is delivered").atMost(PATIENCE).until(() -> {
            restartAFailedTask();
            return ledger.outstanding() < TRANSACTIONS_PER_SECOND;
        });
    }

    private void keepLogs() throws IOException {
        Path folder = TestHome.path().resolve("integration-tests/target/fault-logs");
        Files.createDirectories(folder);
        for (StackProcess part : List.of(stack.connectProcess(), stack.kafkaProcess())) {
            String file = "%s-%s-%d-%s.log"
                    .formatted(name, profile.label(), recoveries.size(), part.name())
                    .replace(' ', '-');
            Files.copy(part.log(), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Ends the load and waits until all of it has arrived; what does not come within {@link #PATIENCE} is lost. */
    Outcome finish() throws InterruptedException {
        load.ifPresent(Load::close);
        double seconds = (System.nanoTime() - begin) / 1e9;
        awaitAll();
        if (!reader.awaitCaughtUp(PATIENCE)) {
            throw new IllegalStateException(
                    name + ": the topics could not be read to their end, so nothing is proved.");
        }
        Verdict verdict = ledger.verdict();
        Outcome outcome =
                new Outcome(name, profile, faults, taskRestarts, verdict.committed() / seconds, verdict, recoveries);
        FaultTable.add(outcome);
        return outcome;
    }

    private void awaitAll() {
        try {
            Awaitility.await().atMost(PATIENCE).until(() -> {
                restartAFailedTask();
                return ledger.outstanding() == 0;
            });
        } catch (ConditionTimeoutException e) {
            System.out.println(name + ": " + ledger.outstanding() + " events have not arrived within " + PATIENCE);
        }
    }

    @Override
    public void close() {
        load.ifPresent(Load::close);
        reader.close();
    }

    private void awaitFlow() {
        Awaitility.await(name + ": events flow").atMost(PATIENCE).until(() -> {
            restartAFailedTask();
            return flow.recovery().isPresent();
        });
    }

    /** What a watch would do, counted. Connect itself leaves a failed task as it is. */
    private void restartAFailedTask() {
        if (!stack.connectProcess().isAlive() || !stack.connect().isReady()) {
            return;
        }
        Optional<ConnectorStatus> status = stack.connect().status(OutboxPipeline.CONNECTOR);
        if (status.isPresent() && hasFailed(status.get())) {
            taskRestarts++;
            System.out.println(name + ": " + status.get().tasks());
            stack.connect().restart(OutboxPipeline.CONNECTOR);
        }
    }

    private static boolean hasFailed(ConnectorStatus status) {
        return status.tasks().stream().anyMatch(task -> task.state().equals("FAILED"));
    }

    private void arrived(ArrivedEvent event) {
        event.id().ifPresent(id -> {
            if (event.deadLetterReason().isPresent()) {
                ledger.seenAsDeadLetter(id);
            } else {
                ledger.seen(id);
                flow.arrived(id);
            }
        });
    }

    /** Something bad that happens to the pipeline, and its end. */
    @FunctionalInterface
    interface Fault {
        void happen() throws Exception;
    }
}
