package io.outboxcdc.monitor.alert;

import io.outboxcdc.monitor.core.SlotState;
import io.outboxcdc.monitor.metric.Metric;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import static io.outboxcdc.monitor.alert.Condition.above;
import static io.outboxcdc.monitor.alert.Condition.atLeast;
import static io.outboxcdc.monitor.alert.Condition.below;
import static io.outboxcdc.monitor.alert.Condition.is;
import static io.outboxcdc.monitor.alert.Condition.state;
import static io.outboxcdc.monitor.alert.Severity.PAGE;
import static io.outboxcdc.monitor.alert.Severity.WARNING;

/**
 * Every alert rule. Forecasts need a while of bad outlook before they alert, the longer the farther the event is: a burst
 * of a minute is no trend.
 */
@SuppressWarnings("ImmutableEnumChecker") // conditions are records of enums and numbers
public enum AlertRule {
    SLOT_MISSING(PAGE, state(SlotState.MISSING), Hold.NONE, "The slot does not exist"),
    SLOT_LOST(PAGE, state(SlotState.LOST), Hold.NONE, "The slot can never be read again"),
    OFFSET_GAP(PAGE, above(Metric.OFFSET_GAP_BYTES, 0), Hold.NONE, "Rows between offset and slot are never delivered"),
    OFFSET_AHEAD(
            PAGE,
            above(Metric.OFFSET_AHEAD_BYTES, 0).or(is(Metric.SERVER_CHANGED, 1)),
            Hold.NONE,
            "The connector's offset does not belong to this server"),
    PUBLICATION_BROKEN(
            PAGE, is(Metric.PUBLICATION_INTACT, 0), Hold.NONE, "Rows of the outbox do not reach the connector"),
    SLOT_UNRESERVED(PAGE, state(SlotState.UNRESERVED), Hold.NONE, "The next checkpoint may make the slot lost"),

    DISK_FULL_IN_A_DAY(
            WARNING,
            below(Metric.DISK_FULL_ETA_SECONDS, 86_400),
            Hold.MINUTES_5,
            "The WAL's disk is full within a day"),
    DISK_FULL_IN_HOURS(
            PAGE, below(Metric.DISK_FULL_ETA_SECONDS, 14_400), Hold.MINUTE, "The WAL's disk is full within four hours"),
    DISK_FULL_IN_MINUTES(
            PAGE,
            below(Metric.DISK_FULL_ETA_SECONDS, 2_700),
            Hold.TWO_SAMPLES,
            "The WAL's disk is full within 45 minutes"),
    SLOT_LOST_IN_HOURS(
            WARNING, below(Metric.LOST_ETA_SECONDS, 14_400), Hold.MINUTE, "The slot is lost within four hours"),
    SLOT_LOST_SOON(PAGE, below(Metric.LOST_ETA_SECONDS, 3_600), Hold.TWO_SAMPLES, "The slot is lost within an hour"),
    RETAINED_MUCH(
            WARNING,
            above(Metric.RETAINED_RATIO, 0.25).or(above(Metric.RETAINED_BYTES, 10e9)),
            Hold.MINUTE,
            "The slot holds much WAL"),
    RETAINED_TOO_MUCH(
            PAGE,
            above(Metric.RETAINED_RATIO, 0.5)
                    .or(above(Metric.RETAINED_BYTES, 50e9).and(is(Metric.DISK_KNOWN, 0))),
            Hold.MINUTE,
            "The slot holds too much WAL"),

    SLOT_INACTIVE(WARNING, state(SlotState.INACTIVE), Hold.MINUTES_2, "Nobody reads the slot"),
    SLOT_INACTIVE_LONG(PAGE, state(SlotState.INACTIVE), Hold.MINUTES_10, "Nobody reads the slot, for long"),
    STALLED_DOWNSTREAM(
            WARNING, state(SlotState.STALLED_DOWNSTREAM), Hold.MINUTE, "The reader answers and confirms nothing"),
    STALLED_DOWNSTREAM_LONG(
            PAGE,
            state(SlotState.STALLED_DOWNSTREAM),
            Hold.MINUTES_10,
            "The reader answers and confirms nothing, for long"),
    HUNG_CLIENT(WARNING, state(SlotState.HUNG_CLIENT), Hold.NONE, "The reader is connected and does not answer"),
    BLOCKED_BY_STANDBY(PAGE, state(SlotState.BLOCKED_BY_STANDBY), Hold.MINUTE, "A standby holds the connector back"),
    HELD_BY_TRANSACTION(
            WARNING,
            above(Metric.HELD_BEFORE_CONFIRM_BYTES, 1e9)
                    .and(above(Metric.OLDEST_WRITER_AGE_SECONDS, 600)
                            .or(above(Metric.OLDEST_PREPARED_AGE_SECONDS, 300))),
            Hold.NONE,
            "An open transaction holds WAL, not the connector"),
    HEARTBEAT_OLD(
            WARNING, above(Metric.HEARTBEAT_AGE_SECONDS, 60), Hold.NONE, "No heartbeat has reached Kafka for a minute"),
    HEARTBEAT_DEAD(
            PAGE,
            above(Metric.HEARTBEAT_AGE_SECONDS, 300),
            Hold.NONE,
            "No heartbeat has reached Kafka for five minutes"),
    LAG_HIGH(WARNING, above(Metric.LAG_SECONDS, 60), Hold.MINUTES_5, "Events are late"),
    LAG_VERY_HIGH(PAGE, above(Metric.LAG_SECONDS, 900), Hold.NONE, "Events are a quarter of an hour late"),
    SPILL_STORM(
            WARNING,
            above(Metric.SPILLED_RECENTLY_BYTES, 1e9).or(above(Metric.SPILL_ON_DISK_BYTES, 5e9)),
            Hold.NONE,
            "The decoder spills much to disk"),
    CATALOG_XMIN_OLD(
            WARNING,
            above(Metric.CATALOG_XMIN_AGE_TRANSACTIONS, 50e6),
            Hold.MINUTE,
            "The slot keeps catalog rows from vacuum"),
    CATALOG_XMIN_VERY_OLD(
            PAGE,
            above(Metric.CATALOG_XMIN_AGE_TRANSACTIONS, 200e6),
            Hold.MINUTE,
            "The slot brings transaction wraparound nearer"),

    TASK_FAILED(WARNING, above(Metric.CONNECTOR_FAILED_TASKS, 0), Hold.NONE, "A task has FAILED"),
    TASK_FAILS_AGAIN(
            PAGE,
            above(Metric.CONNECTOR_FAILED_TASKS, 0).and(atLeast(Metric.CONNECTOR_RESTARTS_RECENTLY, 3)),
            Hold.NONE,
            "A task fails again and again"),
    READER_MISSING(
            PAGE, is(Metric.READER_MISSING, 1), Hold.MINUTES_2, "Connect says RUNNING, and the slot has no reader"),
    FAILOVER_NOT_READY(WARNING, is(Metric.FAILOVER_READY, 0), Hold.MINUTES_5, "The slot would not survive a failover"),
    DEAD_LETTERS(WARNING, above(Metric.DEAD_LETTERS_RECENTLY, 0), Hold.NONE, "Rows went to the dead-letter topic"),
    PARTITIONS_SHORT(
            WARNING,
            below(Metric.OUTBOX_PARTITIONS_AHEAD_RATIO, 0.7),
            Hold.MINUTES_5,
            "Partitions of the outbox are not made ahead"),
    PARTITIONS_END_SOON(
            PAGE,
            below(Metric.OUTBOX_PARTITIONS_AHEAD_RATIO, 0.3),
            Hold.MINUTE,
            "Soon no event can be written, for want of a partition"),
    UPKEEP_FAILING(WARNING, is(Metric.UPKEEP_FAILING, 1), Hold.MINUTES_5, "The upkeep of the outbox fails"),
    ARCHIVER_FAILING(
            WARNING,
            is(Metric.ARCHIVER_FAILING, 1).and(above(Metric.ARCHIVE_READY_SEGMENTS, 10)),
            Hold.MINUTES_5,
            "The archiver fails and holds WAL, not the connector"),
    PREFLIGHT(WARNING, above(Metric.PREFLIGHT_FINDINGS, 0), Hold.HOUR, "Settings make a fault worse when it comes"),
    DATABASE_UNREADABLE(PAGE, is(Metric.DATABASE_UP, 0), Hold.MINUTE, "The database cannot be read"),
    CONNECT_UNREADABLE(WARNING, is(Metric.CONNECT_UP, 0), Hold.MINUTES_2, "Kafka Connect cannot be read");

    private static final class Hold {
        static final Duration NONE = Duration.ZERO;
        static final Duration TWO_SAMPLES = Duration.ofSeconds(5);
        static final Duration MINUTE = Duration.ofMinutes(1);
        static final Duration MINUTES_2 = Duration.ofMinutes(2);
        static final Duration MINUTES_5 = Duration.ofMinutes(5);
        static final Duration MINUTES_10 = Duration.ofMinutes(10);
        static final Duration HOUR = Duration.ofHours(1);
    }

    private final Severity severity;
    private final Condition condition;
    private final Duration hold;
    private final String summary;

    AlertRule(Severity severity, Condition condition, Duration hold, String summary) {
        this.severity = severity;
        this.condition = condition;
        this.hold = hold;
        this.summary = summary;
    }

    /** The names of all rules as they are in alerts and in the configuration. */
    public static Set<String> names() {
        return Arrays.stream(values()).map(AlertRule::alertName).collect(Collectors.toUnmodifiableSet());
    }

    /** The rule's name: Outbox, and the words of the constant. */
    public String alertName() {
        return "Outbox"
                + Arrays.stream(name().split("_"))
                        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining());
    }

    /** The rule's section in the runbook. */
    public String anchor() {
        return alertName().toLowerCase(Locale.ROOT);
    }

    /** How urgent it is. */
    public Severity severity() {
        return severity;
    }

    Condition condition() {
        return condition;
    }

    /** The metrics that it looks at. */
    public Set<Metric> metrics() {
        return condition.metrics();
    }

    /** How long the condition has to hold. */
    public Duration hold() {
        return hold;
    }

    /** What is wrong, in one sentence without a full stop. */
    public String summary() {
        return summary;
    }
}
