package io.outboxcdc.relay.core;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Aggregates whose first unpublished event failed, each until its next try. Later events of such an aggregate must not
 * pass the one that failed, so all of them wait. Not thread-safe.
 */
public final class BlockedAggregates {

    private final Backoff backoff;
    private final Map<AggregateKey, Instant> nextTry = new HashMap<>();

    public BlockedAggregates(Backoff backoff) {
        this.backoff = backoff;
    }

    /**
     * An event has failed.
     *
     * @param failures how often by now
     */
    public void block(AggregateKey aggregate, int failures, Instant now) {
        nextTry.put(aggregate, now.plus(backoff.after(failures)));
    }

    /** Those that have to wait; what is due is let go. */
    public Set<AggregateKey> at(Instant now) {
        nextTry.values().removeIf(time -> !time.isAfter(now));
        return Set.copyOf(nextTry.keySet());
    }
}
