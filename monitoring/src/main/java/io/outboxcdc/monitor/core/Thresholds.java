package io.outboxcdc.monitor.core;

import java.time.Duration;

/**
 * Where one state ends and another begins.
 *
 * @param stalledAfter how long a reader that answers may confirm nothing while there is something to confirm
 * @param catchingUpLag from this time lag on a reader at work is called behind
 * @param heldByTransactionBytes how much confirmed WAL an open transaction may hold
 * @param writerAge how old a writing transaction is when it is blamed
 * @param unsentBytes how much a reader may leave with the server
 */
public record Thresholds(
        Duration stalledAfter,
        Duration catchingUpLag,
        long heldByTransactionBytes,
        Duration writerAge,
        long unsentBytes) {

    private static final long MB = 1024 * 1024;

    /** What suits most; the defaults of the configuration are the same. */
    public static final Thresholds USUAL =
            new Thresholds(Duration.ofSeconds(30), Duration.ofSeconds(15), 64 * MB, Duration.ofSeconds(60), 16 * MB);
}
