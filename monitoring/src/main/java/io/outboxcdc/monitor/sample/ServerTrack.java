package io.outboxcdc.monitor.sample;

import io.outboxcdc.monitor.core.Growth;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.core.TimeSeries;
import io.outboxcdc.monitor.core.TimeSeries.Point;
import io.outboxcdc.monitor.read.DatabaseTarget;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What is remembered of a server from sample to sample. Not thread-safe. */
final class ServerTrack {

    static final long KEPT_MILLIS = Duration.ofDays(7).toMillis();

    private final DatabaseTarget target;
    private final long intervalMillis;
    private final TimeSeries heads = new TimeSeries(KEPT_MILLIS);
    private final TimeSeries held = new TimeSeries(KEPT_MILLIS);
    private Optional<String> identifier = Optional.empty();
    private Optional<ServerFacts> lastKnown = Optional.empty();

    ServerTrack(DatabaseTarget target, Duration interval) {
        this.target = target;
        this.intervalMillis = interval.toMillis();
    }

    /** What goes into the state file. */
    record Saved(Optional<String> identifier, List<Point> heads, List<Point> held) {}

    Saved save() {
        return new Saved(identifier, heads.points(), held.points());
    }

    void restore(Saved saved) {
        identifier = saved.identifier();
        saved.heads().forEach(point -> heads.add(point.millis(), point.value()));
        saved.held().forEach(point -> held.add(point.millis(), point.value()));
    }

    void take(Instant now, Reading<ServerFacts> reading) {
        if (reading.value().isEmpty()) {
            return;
        }
        ServerFacts facts = reading.value().get();
        lastKnown = Optional.of(facts);
        if (identifier.isEmpty()) {
            identifier = Optional.of(facts.systemIdentifier());
        }
        // A server that was restored begins a line of its own; positions of the old one say nothing about it.
        if (heads.latest()
                .map(last -> last.value() > facts.flushed().position())
                .orElse(false)) {
            heads.clear();
            held.clear();
        }
        heads.add(now.toEpochMilli(), facts.flushed().position());
        held.add(now.toEpochMilli(), facts.heldBytes());
    }

    /** What says that this is another server than the one that was expected. */
    Optional<String> change() {
        Optional<String> wanted = target.systemIdentifier().or(() -> identifier);
        Optional<String> found = lastKnown.map(ServerFacts::systemIdentifier);
        if (wanted.isEmpty() || found.isEmpty() || wanted.equals(found)) {
            return Optional.empty();
        }
        return Optional.of("this is another server: its system identifier is " + found.get() + ", and " + wanted.get()
                + " was expected");
    }

    TimeSeries heads() {
        return heads;
    }

    Optional<ServerFacts> lastKnown() {
        return lastKnown;
    }

    OptionalDouble growth() {
        return Growth.bytesPerSecond(held, intervalMillis);
    }
}
