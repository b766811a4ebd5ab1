package io.outboxcdc.monitor.metric;

import io.outboxcdc.monitor.core.KafkaFacts;
import io.outboxcdc.monitor.core.TimeSeries;
import io.outboxcdc.monitor.core.TimeSeries.Point;
import io.outboxcdc.monitor.sample.SlotStatus;
import io.outboxcdc.monitor.sample.Snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What was seen of each slot's heartbeats and dead letters over time. Not thread-safe. */
public final class KafkaWatch {

    private static final Duration RECENTLY = Duration.ofMinutes(10);
    private static final double MILLIS = 1000;

    private final Map<String, Instant> heartbeats = new HashMap<>();
    private final Map<String, TimeSeries> deadLetters = new HashMap<>();

    /** Adds a sample. A slot whose heartbeat was never seen counts from the first sample on. */
    public void take(Snapshot snapshot) {
        for (SlotStatus slot : snapshot.slots()) {
            if (slot.observation().kafka().isEmpty()) {
                continue;
            }
            String key = slot.expected().key();
            Optional<KafkaFacts> facts = slot.observation().kafka().get().value();
            facts.flatMap(KafkaFacts::newestHeartbeat)
                    .ifPresentOrElse(
                            seen -> heartbeats.put(key, seen), () -> heartbeats.putIfAbsent(key, snapshot.time()));
            facts.ifPresent(seen -> deadLetters
                    .computeIfAbsent(key, unknown -> new TimeSeries(RECENTLY.toMillis()))
                    .add(snapshot.time().toEpochMilli(), seen.deadLetters()));
        }
    }

    double heartbeatAge(String key, Instant now) {
        Instant beat = heartbeats.getOrDefault(key, now);
        return Math.max(0, Duration.between(beat, now).toMillis() / MILLIS);
    }

    long deadLetters(String key) {
        return latest(key).map(Point::value).orElse(0L);
    }

    long deadLettersRecently(String key, Instant now) {
        TimeSeries counts = deadLetters.get(key);
        if (counts == null) {
            return 0;
        }
        long begin = counts.points().stream()
                .filter(point -> point.millis() >= now.minus(RECENTLY).toEpochMilli())
                .findFirst()
                .map(Point::value)
                .orElse(0L);
        return Math.max(0, deadLetters(key) - begin);
    }

    private Optional<Point> latest(String key) {
        return Optional.ofNullable(deadLetters.get(key)).flatMap(TimeSeries::latest);
    }
}
