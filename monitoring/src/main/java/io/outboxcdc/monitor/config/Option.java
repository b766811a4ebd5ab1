package io.outboxcdc.monitor.config;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every option of the configuration file. A part in angle brackets stands for a name that another option lists. */
enum Option {
    SAMPLE_INTERVAL("sample.interval", Kind.DURATION, "5s", "How often everything is read."),
    HTTP_ADDRESS("http.address", Kind.TEXT, "127.0.0.1", "Where the page and the metrics are served; 0.0.0.0 for all."),
    HTTP_PORT("http.port", Kind.NUMBER, "8090", "The port for it; 0 for a free one."),
    STATE_FILE("state.file", Kind.TEXT, "slot-monitor.state", "Where the monitor keeps what must survive a restart."),

    DATABASES("databases", Kind.NAMES, null, "Names for the databases to watch, separated by commas."),
    DATABASE_URL("database.<database>.jdbc.url", Kind.TEXT, null, "jdbc:postgresql://host:port/database"),
    DATABASE_USER("database.<database>.user", Kind.TEXT, "outbox_monitor", "A role with pg_monitor."),
    DATABASE_PASSWORD("database.<database>.password", Kind.SECRET, "", "Its password."),
    DATABASE_SLOTS("database.<database>.slots", Kind.NAMES, null, "The slots that have to be there."),
    DATABASE_WAL_PATH(
            "database.<database>.wal.path",
            Kind.TEXT,
            "",
            "A folder on the volume of the WAL, when that is on this machine."),
    DATABASE_WAL_VOLUME(
            "database.<database>.wal.volume",
            Kind.SIZE,
            "",
            "The size of that volume, when it is elsewhere and nothing else is on it."),
    DATABASE_IDENTIFIER(
            "database.<database>.system.identifier",
            Kind.TEXT,
            "",
            "The server that it has to be (pg_control_system); by default the one that was seen first. Setting it also"
                    + " says that a change was meant."),
    DATABASE_STANDBYS(
            "database.<database>.standby.jdbc.urls",
            Kind.TEXT,
            "",
            "The standbys that have to keep copies of the slots, as jdbc:postgresql: URLs with spaces between them. They are"
                    + " entered with the same user and password."),
    UPKEEP_USER(
            "database.<database>.upkeep.user",
            Kind.TEXT,
            "",
            "With it the monitor runs the upkeep of the outbox, over a connection of its own: a login that is a member of"
                    + " outbox_owner, and of inbox_owner if inboxes are named."),
    UPKEEP_PASSWORD("database.<database>.upkeep.password", Kind.SECRET, "", "Its password."),
    UPKEEP_INTERVAL("database.<database>.upkeep.interval", Kind.DURATION, "1min", "The pause between two rounds."),
    UPKEEP_INBOXES(
            "database.<database>.upkeep.inbox.consumers",
            Kind.NAMES,
            "",
            "Consumers whose old claims in the inbox of this database are forgotten too, separated by commas."),
    UPKEEP_INBOX_WINDOW(
            "database.<database>.upkeep.inbox.window",
            Kind.DURATION,
            "30d",
            "For how long a claim is kept: longer than the topics keep messages and than any stop lasts."),
    SLOT_PUBLICATION(
            "database.<database>.slot.<slot>.publication", Kind.TEXT, "outbox", "The publication that it reads."),
    SLOT_TABLE("database.<database>.slot.<slot>.table", Kind.TEXT, "public.outbox", "The outbox, schema and name."),
    SLOT_CONNECTOR("database.<database>.slot.<slot>.connector", Kind.TEXT, "", "Who reads it: cluster/connector."),
    SLOT_FAILOVER(
            "database.<database>.slot.<slot>.failover.required",
            Kind.SWITCH,
            "off",
            "Whether a standby has to keep a copy of the slot (PostgreSQL 17 and newer)."),

    CLUSTERS("connect.clusters", Kind.NAMES, "", "Names for the Connect clusters to watch, separated by commas."),
    CLUSTER_URL("connect.<cluster>.url", Kind.TEXT, null, "Its REST interface."),
    CLUSTER_USER("connect.<cluster>.user", Kind.TEXT, "", "The user for it, if it asks for one."),
    CLUSTER_PASSWORD("connect.<cluster>.password", Kind.SECRET, "", "The password for it."),
    CLUSTER_KAFKA(
            "connect.<cluster>.kafka.<setting>",
            Kind.SECRET,
            "",
            "A setting of Kafka's consumer, such as bootstrap.servers. With it heartbeats and dead letters are seen."),

    STALLED_AFTER("state.stalled.after", Kind.DURATION, "30s", "How long a reader that answers may confirm nothing."),
    CATCHING_UP_LAG("state.catching.up.lag", Kind.DURATION, "15s", "From this lag on a reader is called behind."),
    HELD_BYTES(
            "state.held.by.transaction.size",
            Kind.SIZE,
            "64MB",
            "How much confirmed WAL an open transaction may hold."),
    WRITER_AGE("state.writer.age", Kind.DURATION, "60s", "How old a writing transaction is when it is blamed."),
    UNSENT_BYTES("state.unsent.size", Kind.SIZE, "16MB", "How much a reader may leave with the server."),

    ALERT_RESOLVE_AFTER(
            "alert.resolve.after", Kind.DURATION, "1min", "How long a condition has to be gone before that is said."),
    ALERT_WEBHOOK("alert.webhook.url", Kind.SECRET, "", "Where alerts are posted as JSON."),
    ALERT_ALERTMANAGER("alert.alertmanager.url", Kind.TEXT, "", "The Alertmanager (API v2) that gets them."),
    ALERT_RUNBOOKS(
            "alert.runbook.url",
            Kind.TEXT,
            "docs/how-to/react-to-a-slot-alert.md",
            "Where the runbook is, for the links in alerts."),
    ALERT_FOR("alert.<rule>.for", Kind.DURATION, "", "How long a rule's condition has to hold."),
    ALERT_ON("alert.<rule>.enabled", Kind.SWITCH, "on", "Whether the monitor itself raises this rule."),

    ACTION_RESTART("action.restart", Kind.SWITCH, "on", "Start FAILED tasks again, with growing pauses."),
    ACTION_HEARTBEAT("action.heartbeat", Kind.SWITCH, "on", "Write a heartbeat when an idle reader holds much WAL."),
    ACTION_HEARTBEAT_BYTES("action.heartbeat.size", Kind.SIZE, "64MB", "How much is much."),
    ACTION_STOP(
            "action.stop",
            Kind.SWITCH,
            "off",
            "Stop the connector when its slot is missing or lost, so that it cannot make a new one in silence.");

    /** What a value has to look like. */
    enum Kind {
        TEXT,
        SECRET,
        NUMBER,
        DURATION,
        SIZE,
        SWITCH,
        NAMES
    }

    private final String key;
    private final Kind kind;
    private final Optional<String> byDefault;
    private final String meaning;

    Option(String key, Kind kind, @Nullable String byDefault, String meaning) {
        this.key = key;
        this.kind = kind;
        this.byDefault = Optional.ofNullable(byDefault);
        this.meaning = meaning;
    }

    String key() {
        return key;
    }

    Kind kind() {
        return kind;
    }

    /** The value without an entry; empty when there has to be one. */
    Optional<String> byDefault() {
        return byDefault;
    }

    String meaning() {
        return meaning;
    }

    /** The key with names in place of the angle brackets. */
    String key(String... names) {
        String full = key;
        for (String name : names) {
            full = full.replaceFirst("<[a-z]+>", Matcher.quoteReplacement(name));
        }
        return full;
    }

    /** Whether a key of a file is one of this option, whatever the names. */
    boolean matches(String entry) {
        String pattern = Pattern.quote(key).replace("<setting>", "\\E.+\\Q").replaceAll("<[a-z]+>", "\\\\E[^.]+\\\\Q");
        return entry.matches(pattern);
    }
}
