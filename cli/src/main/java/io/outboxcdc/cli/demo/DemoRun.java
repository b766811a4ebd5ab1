package io.outboxcdc.cli.demo;

import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.client.ledger.Verdict;
import io.outboxcdc.stack.LocalStack;
import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** One run of the demo on a pipeline that is up: write, read, show, judge. */
public final class DemoRun {

    /** Waits for a person who wants to end the demo. */
    @FunctionalInterface
    public interface EndRequest {
        /** Waits until asked to end, or the time is over; true when asked. */
        boolean await(Duration atMost) throws InterruptedException;
    }

    /** How long nothing may arrive before what is missing counts as lost. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private static final Duration TICK = Duration.ofMillis(50);

    private final Instant commandStart;
    private final long events;
    private final double rate;
    private final PrintWriter out;
    private final LiveTable table;
    private final Ledger ledger = new Ledger();
    private final CommitClock clock = new CommitClock();
    private final AtomicReference<@Nullable Instant> firstEvent = new AtomicReference<>();
    private final AtomicLong lastArrivalNanos = new AtomicLong();

    private boolean interrupted;
    private boolean readToTheEnd;

    /**
     * Prepares a run.
     *
     * @param commandStart when the person started the command; the first event's time counts from there
     * @param events how many events to write
     * @param rate transactions per second
     */
    public DemoRun(Instant commandStart, long events, double rate, PrintWriter out) {
        this.commandStart = commandStart;
        this.events = events;
        this.rate = rate;
        this.out = out;
        this.table = new LiveTable(out);
    }

    /**
     * Writes and reads until all has arrived, nothing arrives any more, or the end is asked for.
     *
     * @param exit end when all events have arrived; otherwise go on showing until the end is asked for
     * @return whether the verdict is clean
     */
    public boolean on(LocalStack stack, boolean exit, EndRequest end) throws InterruptedException, SQLException {
        lastArrivalNanos.set(System.nanoTime());
        try (DemoSchema schema = DemoSchema.create(stack.postgres());
                EventReader reader = EventReader.start(stack.bootstrapServers(), this::arrived)) {
            try (OrderWriters writers = OrderWriters.start(stack.postgres(), ledger, clock, events, rate)) {
                interrupted = !writeAndRead(writers, exit, end);
            }
            if (!interrupted) {
                readToTheEnd = reader.awaitCaughtUp(SILENCE);
            }
        }
        tellWhatTheLineLeavesOut(ledger.verdict());
        return verdictIsClean();
    }

    /** Whether an event has arrived by now; may be asked from any thread. */
    public boolean hasSeenAnEvent() {
        return firstEvent.get() != null;
    }

    /** The last line of the demo. */
    public String verdictLine() {
        Verdict verdict = ledger.verdict();
        Instant first = firstEvent.get();
        return String.format(
                Locale.ROOT,
                "%d events: %d lost, %d duplicated, %d out of order; %s",
                verdict.committed(),
                interrupted ? 0 : verdict.lost(),
                verdict.duplicated(),
                verdict.outOfOrder(),
                first == null
                        ? "no event arrived"
                        : String.format(
                                Locale.ROOT,
                                "first event after %.1f s",
                                Duration.between(commandStart, first).toMillis() / 1000.0));
    }

    /** True when all arrived, false when interrupted; returns also when nothing has arrived for long. */
    private boolean writeAndRead(OrderWriters writers, boolean exit, EndRequest end) throws InterruptedException {
        while (!end.await(TICK)) {
            boolean allWritten = writers.await(Duration.ofMillis(1));
            if (allWritten && exit && (ledger.outstanding() == 0 || silent())) {
                return true;
            }
        }
        return false;
    }

    private boolean silent() {
        return System.nanoTime() - lastArrivalNanos.get() > SILENCE.toNanos();
    }

    private void arrived(ArrivedEvent event) {
        lastArrivalNanos.set(event.receivedNanos());
        OptionalLong latency = clock.latencyMillis(event);
        if (latency.isPresent()) {
            firstEvent.compareAndSet(null, Instant.now());
        }
        event.id().ifPresent(event.deadLetterReason().isPresent() ? ledger::seenAsDeadLetter : ledger::seen);
        table.print(LocalTime.now(ZoneId.systemDefault()), event, latency);
    }

    private boolean verdictIsClean() {
        Verdict verdict = ledger.verdict();
        boolean nothingWrong = verdict.duplicated() == 0
                && verdict.outOfOrder() == 0
                && verdict.deadLettered() == 0
                && verdict.phantoms() == 0;
        return interrupted ? nothingWrong : readToTheEnd && verdict.clean();
    }

    private void tellWhatTheLineLeavesOut(Verdict verdict) {
        if (interrupted && verdict.lost() > 0) {
            out.println(verdict.lost() + " events were still on their way when the demo was ended.");
        }
        if (!interrupted && !readToTheEnd) {
            out.println("The topics could not be read to their end, so a repeat may have been missed.");
        }
        if (verdict.deadLettered() > 0) {
            out.println(verdict.deadLettered() + " events went to the dead-letter topic.");
        }
        if (verdict.phantoms() > 0) {
            out.println(verdict.phantoms() + " events of rolled-back transactions arrived.");
        }
    }
}
