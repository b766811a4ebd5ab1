package io.outboxcdc.relay.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Every option of the relay, each declared here and nowhere else: the checks and the reference page are made from it. */
@SuppressWarnings("ImmutableEnumChecker") // Defaults and validators are immutable.
public enum RelayOption {
    JDBC_URL(
            "jdbc.url",
            ConfigDef.Type.STRING,
            ConfigDef.NO_DEFAULT_VALUE,
            null,
            "jdbc:postgresql://host:port/database"),
    JDBC_USER(
            "jdbc.user",
            ConfigDef.Type.STRING,
            "outbox_relay",
            new NonEmptyString(),
            "The role of sql/65_polling.sql. Another one is asked for each row that it marks whether the row is legal, and"
                    + " cannot mark one that is not."),
    JDBC_PASSWORD("jdbc.password", ConfigDef.Type.PASSWORD, "", null, "Its password."),
    COLUMNS(
            "columns",
            ConfigDef.Type.LIST,
            List.of("id", "aggregate_type", "aggregate_id", "event_type", "payload", "headers"),
            null,
            "The columns that the router gets, separated by commas: those that the connector's publication has, so that"
                    + " dead letters have the same."),
    NAME(
            "relay.name",
            ConfigDef.Type.STRING,
            "outbox",
            new NonEmptyString(),
            "Name in Kafka: transactional ids and groups are <name>-relay-<shard>. The same for all instances of one"
                    + " database, and for those of no other."),
    SOURCE_NAME(
            "source.name",
            ConfigDef.Type.STRING,
            "outbox",
            new NonEmptyString(),
            "What the connector has as topic.prefix; of use for cloudevents.headers only."),
    POSITION_TOPIC(
            "position.topic",
            ConfigDef.Type.STRING,
            "outbox.relay",
            new NonEmptyString(),
            "A topic that stays empty: the notes of which batch was published last are stored as offsets of it."),
    TOPICS_CREATE(
            "topics.create",
            ConfigDef.Type.BOOLEAN,
            true,
            null,
            "Whether topics are made that are not there, with the broker's defaults; the dead-letter topic with one"
                    + " partition and unlimited retention."),
    BATCH_ROWS(
            "batch.max.rows",
            ConfigDef.Type.INT,
            500,
            Range.between(1, 2_000),
            "Events of one transaction. There may be fewer: the note of a batch has to fit into 4096 characters."),
    BATCH_BYTES(
            "batch.max.bytes",
            ConfigDef.Type.LONG,
            4_194_304L,
            Range.atLeast(1),
            "Bytes of one transaction, as the database stores them; compressed values are larger in memory."),
    POLL_MIN(
            "poll.interval.min.ms",
            ConfigDef.Type.LONG,
            5L,
            Range.between(1, 60_000),
            "Shortest pause after nothing was found. It doubles each time, until something is found or a writer calls."),
    POLL_MAX(
            "poll.interval.max.ms",
            ConfigDef.Type.LONG,
            500L,
            Range.between(1, 60_000),
            "Longest such pause: how late an event can be noticed whose notification was lost, or where there are none."),
    RETRY_MIN(
            "retry.interval.min.ms",
            ConfigDef.Type.LONG,
            1_000L,
            Range.atLeast(1),
            "How long an aggregate waits after its event failed for the first time. It doubles each time."),
    RETRY_MAX("retry.interval.max.ms", ConfigDef.Type.LONG, 60_000L, Range.atLeast(1), "The longest such wait."),
    LEASE(
            "lease.duration.ms",
            ConfigDef.Type.LONG,
            10_000L,
            Range.atLeast(1_000),
            "After this long without a sign of life an instance's shards go to others."),
    RETENTION(
            "retention.ms",
            ConfigDef.Type.LONG,
            604_800_000L,
            Range.atLeast(0),
            "How long published events stay in the table; 7 days."),
    CLEANUP_INTERVAL(
            "cleanup.interval.ms",
            ConfigDef.Type.LONG,
            60_000L,
            Range.atLeast(100),
            "How often old events are removed."),
    CLEANUP_ROWS(
            "cleanup.batch.rows", ConfigDef.Type.INT, 5_000, Range.atLeast(1), "Rows that one transaction removes."),
    HTTP_ADDRESS(
            "http.address",
            ConfigDef.Type.STRING,
            "127.0.0.1",
            new NonEmptyString(),
            "Where metrics and health are served; 0.0.0.0 for all."),
    HTTP_PORT("http.port", ConfigDef.Type.INT, 8091, Range.between(0, 65_535), "The port for it; 0 for a free one.");

    /** Options of this prefix are settings of Kafka's producer, and of its admin client. */
    public static final String KAFKA = "kafka.";

    /** Options of this prefix are the router's. */
    public static final String ROUTER = "router.";

    private final String key;
    private final ConfigDef.Type type;
    private final Object byDefault;
    private final @Nullable Validator validator;
    private final String doc;

    RelayOption(String key, ConfigDef.Type type, Object byDefault, @Nullable Validator validator, String doc) {
        this.key = key;
        this.type = type;
        this.byDefault = byDefault;
        this.validator = validator;
        this.doc = doc;
    }

    /** Its name in the file. */
    public String key() {
        return key;
    }

    String doc() {
        return doc;
    }

    static ConfigDef definition() {
        ConfigDef all = new ConfigDef();
        for (RelayOption option : values()) {
            all.define(option.key, option.type, option.byDefault, option.validator, Importance.MEDIUM, option.doc);
        }
        return all;
    }
}
