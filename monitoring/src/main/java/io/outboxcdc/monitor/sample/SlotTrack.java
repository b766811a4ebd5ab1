package io.outboxcdc.monitor.sample;

import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.Forecast;
import io.outboxcdc.monitor.core.Gap;
import io.outboxcdc.monitor.core.Growth;
import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.Observation;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.core.SlotFacts;
import io.outboxcdc.monitor.core.SlotMemory;
import io.outboxcdc.monitor.core.SlotState;
import io.outboxcdc.monitor.core.StateDecision;
import io.outboxcdc.monitor.core.StateFinding;
import io.outboxcdc.monitor.core.StoredOffset;
import io.outboxcdc.monitor.core.TimeSeries;
import io.outboxcdc.monitor.core.TimeSeries.Point;
import io.outboxcdc.monitor.sample.SlotStatus.Measures;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is remembered of an expected slot from sample to sample. Not thread-safe. */
final class SlotTrack {

    private static final Duration RECENTLY = Duration.ofMinutes(10);

    private final ExpectedSlot expected;
    private final StateDecision decision;
    private final long intervalMillis;
    private final TimeSeries retained = new TimeSeries(ServerTrack.KEPT_MILLIS);
    private final TimeSeries unconfirmed = new TimeSeries(ServerTrack.KEPT_MILLIS);
    private final TimeSeries spilled = new TimeSeries(RECENTLY.toMillis());
    private Optional<SlotMemory> memory = Optional.empty();
    private SlotState state = SlotState.UNKNOWN;
    private Instant since = Instant.EPOCH;
    private Measures measures = Measures.NONE;

    SlotTrack(ExpectedSlot expected, StateDecision decision, Duration interval) {
        this.expected = expected;
        this.decision = decision;
        this.intervalMillis = interval.toMillis();
    }

    /** What goes into the state file. */
    record Saved(
            Optional<SlotMemory> memory,
            SlotState state,
            Instant since,
            List<Point> retained,
            List<Point> unconfirmed) {}

    Saved save() {
        return new Saved(memory, state, since, retained.points(), unconfirmed.points());
    }

    void restore(Saved saved) {
        memory = saved.memory();
        state = saved.state();
        since = saved.since();
        saved.retained().forEach(point -> retained.add(point.millis(), point.value()));
        saved.unconfirmed().forEach(point -> unconfirmed.add(point.millis(), point.value()));
    }

    ExpectedSlot expected() {
        return expected;
    }

    TimeSeries retained() {
        return retained;
    }

    TimeSeries unconfirmed() {
        return unconfirmed;
    }

    /** The memory with a sample added, for the sample's own observation. */
    SlotMemory remember(
            Instant now, Optional<ServerFacts> server, Optional<SlotFacts> slot, Optional<StoredOffset> offset) {
        SlotMemory before = memory.orElseGet(() -> SlotMemory.begin(now));
        SlotMemory after = server.map(facts -> before.after(
                        now,
                        facts,
                        slot,
                        offset,
                        Optional.ofNullable(facts.publications().get(expected.slot()))))
                .orElse(before);
        memory = Optional.of(after);
        return after;
    }

    SlotStatus take(Observation sample, ServerTrack server) {
        StateFinding finding = decision.of(sample);
        if (finding.state() != state || since.equals(Instant.EPOCH)) {
            state = finding.state();
            since = sample.now();
        }
        sample.server().value().ifPresent(facts -> measures = measure(sample, facts, server));
        return new SlotStatus(finding, since, sample, measures);
    }

    private Measures measure(Observation sample, ServerFacts facts, ServerTrack server) {
        long millis = sample.now().toEpochMilli();
        Optional<SlotFacts> slot = sample.slot();
        long held = slot.map(found -> found.retainedBytes(facts.head())).orElse(0L);
        long behind = slot.map(found -> found.unconfirmedBytes(facts.flushed())).orElse(0L);
        retained.add(millis, held);
        unconfirmed.add(millis, behind);
        slot.flatMap(SlotFacts::decoding).ifPresent(decoding -> spilled.add(millis, decoding.spillBytes()));
        var growth = Growth.bytesPerSecond(retained, intervalMillis);
        return new Measures(
                slot,
                held,
                behind,
                slot.map(SlotFacts::heldBeforeConfirmBytes).orElse(0L),
                sample.lag(),
                slot.flatMap(found -> Gap.of(sample, found)).map(Gap::bytes).orElse(0L),
                offsetAhead(sample),
                growth,
                slot.map(found -> Forecast.of(found, facts, growth, server.growth()))
                        .orElse(Forecast.NONE),
                spilledRecently(millis));
    }

    private static long offsetAhead(Observation sample) {
        Optional<Lsn> offset = sample.storedOffset().flatMap(StoredOffset::farthest);
        Optional<Lsn> head = sample.headAfterOffset();
        return offset.isPresent() && head.isPresent() ? offset.get().bytesSince(head.get()) : 0;
    }

    /** The counter's rise; one that has fallen was reset, and has risen by what it shows. */
    private long spilledRecently(long now) {
        long sum = 0;
        Optional<Point> before = Optional.empty();
        for (Point point : spilled.points()) {
            if (point.millis() < now - RECENTLY.toMillis()) {
                continue;
            }
            long last = before.map(Point::value).orElse(point.value());
            sum += point.value() >= last ? point.value() - last : point.value();
            before = Optional.of(point);
        }
        return sum;
    }
}
