package io.outboxcdc.cli.demo;

import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** When the commit of each event was sent, so that its arrival can be timed. Thread-safe. */
public final class CommitClock {

    private final Map<UUID, Long> sentNanos = new ConcurrentHashMap<>();

    void commitIsSent(Iterable<UUID> events) {
        long now = System.nanoTime();
        events.forEach(event -> sentNanos.put(event, now));
    }

    /** Milliseconds from the commit to the arrival; empty for events of others and for a second arrival. */
    public OptionalLong latencyMillis(ArrivedEvent event) {
        Long sent = event.id().map(sentNanos::remove).orElse(null);
        return sent == null ? OptionalLong.empty() : OptionalLong.of((event.receivedNanos() - sent) / 1_000_000);
    }
}
