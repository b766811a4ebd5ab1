package io.outboxcdc.it.faults;

import io.outboxcdc.it.ConnectorVariant;

import java.util.Map;

/** The two connector files that differ in what a crash may repeat. */
enum Profile {
    EXACTLY_ONCE("outbox-connector.json"),
    AT_LEAST_ONCE("outbox-connector-at-least-once.json");

    private static final int MAX_BATCH_SIZE = 8192;
    private static final double FLUSH_INTERVAL_SECONDS = 1;

    private final String file;

    Profile(String file) {
        this.file = file;
    }

    /** A worker with exactly-once support runs each source task exactly-once, whatever the connector's file says. */
    Map<String, String> workerSettings() {
        return this == EXACTLY_ONCE ? Map.of() : Map.of("exactly.once.source.support", "disabled");
    }

    /** The shipped file. */
    String configuration() {
        return ConnectorVariant.json(ConnectorVariant.shipped(file));
    }

    /**
     * How many repeats a number of restarts may bring: what was delivered since the last flush of the offsets, and one
     * batch.
     */
    long duplicatesAllowed(int restarts, double deliveredPerSecond) {
        return this == EXACTLY_ONCE
                ? 0
                : restarts * (Math.round(deliveredPerSecond * (FLUSH_INTERVAL_SECONDS + 1)) + MAX_BATCH_SIZE);
    }

    String label() {
        return this == EXACTLY_ONCE ? "exactly-once" : "at-least-once";
    }
}
