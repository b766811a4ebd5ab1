package io.outboxcdc.relay.serve;

import java.util.Locale;

/** What the relay counts. The name in Prometheus is {@code outbox_relay_} and the constant in lower case. */
public enum RelayMetric {
    PUBLISHED(Kind.COUNTER, "Events that were published, dead letters among them"),
    DEAD_LETTERS(Kind.COUNTER, "Events that were published as dead letters"),
    BATCHES(Kind.COUNTER, "Transactions that were committed"),
    FAILED_ATTEMPTS(Kind.COUNTER, "Events that Kafka or the router did not take, each time they were tried"),
    RECOVERED(Kind.COUNTER, "Events of a predecessor that were published and not yet marked"),
    INTERRUPTIONS(Kind.COUNTER, "Times that a shard was begun anew, because database or Kafka failed"),
    REMOVED(Kind.COUNTER, "Published events that were removed from the table"),
    SHARDS(Kind.GAUGE, "Shards that this instance has"),
    BLOCKED_AGGREGATES(Kind.GAUGE, "Aggregates of these shards that wait behind an event that failed"),
    LAG_SECONDS(Kind.GAUGE, "Age of the oldest unpublished event of these shards; 0 when there is none");

    /** How a metric behaves. */
    public enum Kind {
        GAUGE,
        COUNTER
    }

    private final Kind kind;
    private final String help;

    RelayMetric(Kind kind, String help) {
        this.kind = kind;
        this.help = help;
    }

    /** How it behaves. */
    public Kind kind() {
        return kind;
    }

    /** What it says, in one sentence. */
    public String help() {
        return help;
    }

    /** Its name without the suffix that counters have. */
    public String baseName() {
        return "outbox_relay_" + name().toLowerCase(Locale.ROOT);
    }

    /** Its name in a query. */
    public String queryName() {
        return baseName() + (kind == Kind.COUNTER ? "_total" : "");
    }
}
