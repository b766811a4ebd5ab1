package io.outboxcdc.it.faults;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** From the begin of a fault until an event arrives whose COMMIT was sent after the fault's end. Thread-safe. */
final class FlowWatch {

    private final Set<UUID> sentSince = ConcurrentHashMap.newKeySet();
    private volatile boolean waiting;
    private volatile long faultAt = System.nanoTime();
    private volatile Optional<Duration> recovery = Optional.empty();

    void faultBegins() {
        waiting = false;
        recovery = Optional.empty();
        sentSince.clear();
        faultAt = System.nanoTime();
    }

    void faultIsOver() {
        waiting = true;
    }

    void commitIsSent(Collection<UUID> ids) {
        if (waiting) {
            sentSince.addAll(ids);
        }
    }

    void arrived(UUID id) {
        if (recovery.isEmpty() && sentSince.contains(id)) {
            recovery = Optional.of(Duration.ofNanos(System.nanoTime() - faultAt));
            waiting = false;
        }
    }

    /** Empty as long as nothing flows. */
    Optional<Duration> recovery() {
        return recovery;
    }
}
