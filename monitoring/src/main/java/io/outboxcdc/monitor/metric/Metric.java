package io.outboxcdc.monitor.metric;

import java.util.List;
import java.util.Locale;

/**
 * Every metric of the monitor. The name in Prometheus is {@code outbox_slot_} and the constant in lower case; a unit is at
 * its end. What is not foreseeable is {@code +Inf}; nothing is ever NaN.
 */
public enum Metric {
    STATE(Of.SLOT_STATE, "1 for the state that the slot is in, 0 for all others"),
    PRESENT(Of.SLOT, "Whether the slot exists"),
    ACTIVE(Of.SLOT, "Whether somebody reads the slot"),
    RETAINED_BYTES(Of.SLOT, "WAL that the slot holds on disk; 0 when it is lost"),
    RETAINED_RATIO(Of.SLOT, "WAL that the slot holds, as a part of the WAL's volume; 0 when the volume is not known"),
    UNCONFIRMED_BYTES(Of.SLOT, "WAL that the reader has not confirmed"),
    HELD_BEFORE_CONFIRM_BYTES(Of.SLOT, "WAL that is held although the reader has confirmed it"),
    UNSENT_BYTES(Of.SLOT, "WAL that is flushed and not sent to the reader"),
    LAG_SECONDS(Of.SLOT, "How long ago the server wrote what the reader has confirmed last"),
    GROWTH_BYTES_PER_SECOND(Of.SLOT, "How fast the held WAL grows for good"),
    SAFE_WAL_BYTES(Of.SLOT, "WAL that can be written before the slot can be lost; +Inf without a limit"),
    LOST_ETA_SECONDS(Of.SLOT, "Time until the slot is lost if it goes on like this"),
    ETA_SECONDS(Of.SLOT, "Time until the slot is lost or the disk is full, whichever is first"),
    REPLY_AGE_SECONDS(Of.SLOT, "Time since the reader last answered; 0 without a reader"),
    STANDSTILL_SECONDS(Of.SLOT, "Time in which nothing was confirmed although there was something to confirm"),
    OFFSET_GAP_BYTES(Of.SLOT, "How far the slot is beyond the position that Connect has stored"),
    OFFSET_AHEAD_BYTES(Of.SLOT, "How far the position that Connect has stored is beyond the server's WAL"),
    SERVER_CHANGED(Of.SLOT, "1 when this is another server than the one that was expected"),
    PUBLICATION_INTACT(Of.SLOT, "0 when rows of the outbox do not reach the slot's reader"),
    CATALOG_XMIN_AGE_TRANSACTIONS(
            Of.SLOT, "Age of the catalog rows that the slot keeps from vacuum; 0 when it is lost"),
    SPILLED_RECENTLY_BYTES(Of.SLOT, "What the decoder has spilled to disk in the last ten minutes"),
    SPILL_ON_DISK_BYTES(Of.SLOT, "What the decoder has on disk now; PostgreSQL 15 and newer"),
    FAILOVER_READY(Of.SLOT, "0 when a failover is to be survived and the slot would not survive it"),
    READER_MISSING(Of.SLOT, "1 when Connect says that a task runs, or should run, and the slot has no reader"),
    HEARTBEAT_AGE_SECONDS(Of.SLOT, "Age of the newest heartbeat that a read_committed consumer has got"),
    DEAD_LETTERS(Kind.COUNTER, Of.SLOT, "Dead letters since the monitor began to look"),
    DEAD_LETTERS_RECENTLY(Of.SLOT, "Dead letters in the last ten minutes"),
    OUTBOX_ROWS(Of.SLOT, "Rows in the outbox, as the server estimates"),
    OUTBOX_BYTES(Of.SLOT, "Size of the outbox with its indexes"),
    OUTBOX_PARTITIONS(Of.SLOT, "Partitions of the outbox"),
    OUTBOX_PARTITIONS_AHEAD_SECONDS(
            Of.SLOT, "How long events find a partition; +Inf for an outbox that is not partitioned by time"),
    OUTBOX_PARTITIONS_AHEAD_RATIO(
            Of.SLOT,
            "The same as a part of what upkeep makes ahead: 1 or more while it runs, 0 when no event can be written"),

    DATABASE_UP(Of.DATABASE, "Whether the database answered"),
    WAL_BYTES(Of.DATABASE, "Size of the WAL on disk"),
    WAL_HELD_BYTES(Of.DATABASE, "WAL held by the slot of any kind that holds most"),
    ARCHIVE_READY_SEGMENTS(Of.DATABASE, "WAL segments that wait for the archiver"),
    ARCHIVER_FAILING(Of.DATABASE, "Whether the archiver's last try failed"),
    DISK_KNOWN(Of.DATABASE, "Whether the WAL's volume is known"),
    DISK_FREE_BYTES(Of.DATABASE, "Free room on the WAL's volume; 0 when that is not known"),
    DISK_FULL_ETA_SECONDS(Of.DATABASE, "Time until the WAL's volume is full if it goes on like this"),
    OLDEST_WRITER_AGE_SECONDS(Of.DATABASE, "Age of the oldest open transaction that has written"),
    OLDEST_PREPARED_AGE_SECONDS(Of.DATABASE, "Age of the oldest prepared transaction"),
    PREFLIGHT_FINDINGS(Of.DATABASE, "Settings that make a fault worse when it comes"),

    UPKEEP_ROUNDS(Kind.COUNTER, Of.UPKEEP, "Rounds of upkeep that the monitor has run; there only where it does"),
    UPKEEP_FAILING(Of.DATABASE, "Whether the last of them failed"),

    CONNECT_UP(Of.CLUSTER, "Whether the Connect cluster answered"),
    CONNECTOR_RUNNING(Of.CONNECTOR, "Whether the connector says RUNNING"),
    CONNECTOR_FAILED_TASKS(Of.CONNECTOR, "Tasks that have FAILED"),
    CONNECTOR_RUNNING_TASKS(Of.CONNECTOR, "Tasks that say RUNNING"),
    CONNECTOR_RESTARTS(Kind.COUNTER, Of.CONNECTOR, "Restarts by the monitor"),
    CONNECTOR_RESTARTS_RECENTLY(Of.CONNECTOR, "Restarts by the monitor in the last 15 minutes"),

    ACTIONS(Kind.COUNTER, Of.ACTION, "What the monitor did or failed to do"),
    SAMPLES(Kind.COUNTER, Of.MONITOR, "Samples taken"),
    LAST_SAMPLE_TIMESTAMP_SECONDS(Of.MONITOR, "When the last sample was taken, in seconds since 1970"),
    SAMPLE_DURATION_SECONDS(Of.MONITOR, "How long the last sample took");

    /** How a metric behaves. */
    public enum Kind {
        GAUGE,
        COUNTER
    }

    /** What a metric is of: its labels. */
    @SuppressWarnings("ImmutableEnumChecker") // List.of
    public enum Of {
        SLOT("database", "slot"),
        SLOT_STATE("database", "slot", "state"),
        DATABASE("database"),
        CLUSTER("cluster"),
        CONNECTOR("cluster", "connector"),
        ACTION("action", "outcome"),
        UPKEEP("database", "outcome"),
        MONITOR();

        private final List<String> labels;

        Of(String... labels) {
            this.labels = List.of(labels);
        }

        /** The names of the labels. */
        public List<String> labels() {
            return labels;
        }
    }

    private final Kind kind;
    private final Of of;
    private final String help;

    Metric(Of of, String help) {
        this(Kind.GAUGE, of, help);
    }

    Metric(Kind kind, Of of, String help) {
        this.kind = kind;
        this.of = of;
        this.help = help;
    }

    /** How it behaves. */
    public Kind kind() {
        return kind;
    }

    /** What it is of. */
    public Of of() {
        return of;
    }

    /** What it says, in one sentence. */
    public String help() {
        return help;
    }

    /** Its name without the suffix that counters have. */
    public String baseName() {
        return "outbox_slot_" + name().toLowerCase(Locale.ROOT);
    }

    /** Its name in a query. */
    public String queryName() {
        return baseName() + (kind == Kind.COUNTER ? "_total" : "");
    }
}
