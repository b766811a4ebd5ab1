package io.outboxcdc.router;

import io.debezium.config.Field;
import io.debezium.transforms.outbox.EventRouter;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Turns new rows of a PostgreSQL outbox table, as Debezium's connector reports them, into events: one Kafka record each,
 * in the topic of its aggregate type, with the aggregate's id as key. A row that makes no legal event goes to a
 * dead-letter topic with the reason. Records that are not the outbox's pass as the same object.
 *
 * <p>Takes the options of Debezium's
 * <a href="https://debezium.io/documentation/reference/stable/transformations/outbox-event-router.html">outbox event
 * router</a> with their defaults, and more; every row that the stock router treats rightly gives the same record.
 *
 * <p>The record handed in and its headers are never changed, since Connect applies transforms again after a send that can
 * be retried. Thread-safe once configured.
 *
 * @param <R> the kind of record; source records in practice
 */
public final class OutboxRouter<R extends ConnectRecord<R>> extends EventRouter<R> implements Monitorable {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRouter.class);

    private final Clock clock;
    private final LocalCounts counts;
    private volatile @Nullable Plan plan;

    /** What {@link #configure(Map)} has made of the options. */
    private record Plan(Settings settings, ChangeReader reader, EventRules rules) {}

    /** Made by Connect, which then calls {@link #configure(Map)}. */
    public OutboxRouter() {
        this(Clock.systemUTC(), new LocalCounts());
    }

    OutboxRouter(Clock clock, LocalCounts counts) {
        this.clock = clock;
        this.counts = counts;
    }

    @Override
    public ConfigDef config() {
        return RouterOption.configDef();
    }

    /** @throws ConfigException if any option is unknown or has a value that is not accepted; it names every problem */
    @Override
    public void configure(Map<String, ?> options) {
        Settings settings = SettingsReader.read(options);
        plan = new Plan(settings, new ChangeReader(settings), new EventRules(settings, clock));
    }

    /** Shows what the router counts; Connect calls it after {@link #configure(Map)}, or never. */
    @Override
    public void withPluginMetrics(PluginMetrics metrics) {
        RouterMetric.show(counts, metrics);
    }

    /**
     * @return the event or dead letter, the same record when it is not the outbox's, or null to drop it
     * @throws DataException         if the table cannot be read as an outbox, or if a row makes no legal event and {@code
     *                               on.invalid.event} is {@code fail}
     * @throws IllegalStateException if a row was updated and {@code table.op.invalid.behavior} is {@code fatal}
     */
    @Override
    public @Nullable R apply(R record) {
        Plan current = plan;
        if (current == null) {
            throw new IllegalStateException("OutboxRouter has not been configured; call configure before apply.");
        }
        Change change = current.reader.read(record);
        if (change instanceof OutboxEvent event) {
            return route(record, event, current);
        }
        if (change instanceof Change.Refused refused) {
            return deadLetter(record, refused.letter(), current.settings);
        }
        if (change instanceof Change.OfOutbox ofOutbox) {
            drop(ofOutbox, current.settings);
            return null;
        }
        return record;
    }

    /** Whatever one row raises must not stop the rows behind it, so not even a fault of the router itself does. */
    private R route(R record, OutboxEvent event, Plan current) {
        Verdict verdict;
        try {
            verdict = current.rules.judge(event);
            if (verdict instanceof Verdict.Publish publish) {
                return publish(record, publish);
            }
        } catch (RuntimeException | StackOverflowError e) {
            return deadLetter(record, UnexpectedError.of(event, e), current.settings);
        }
        return deadLetter(record, (Verdict.DeadLetter) verdict, current.settings);
    }

    private R publish(R record, Verdict.Publish event) {
        R published = record.newRecord(
                event.topic(),
                event.partition(),
                event.keySchema(),
                event.key(),
                event.valueSchema(),
                event.value(),
                event.timestamp(),
                joined(record.headers(), event.headers()));
        counts.published();
        if (event.droppedHeaders() > 0) {
            counts.headerCollisions(event.droppedHeaders());
        }
        if (event.invalidTrace()) {
            counts.invalidTrace();
        }
        if (event.replacedTime()) {
            counts.replacedTime();
        }
        return published;
    }

    private R deadLetter(R record, Verdict.DeadLetter letter, Settings settings) {
        if (settings.onInvalidEvent() == Choice.OnInvalidEvent.FAIL) {
            throw new DataException(
                    DeadLetterRecord.message(letter) + " To send such rows to a dead-letter topic instead," + " set "
                            + RouterOption.ON_INVALID.key + " to " + Choice.OnInvalidEvent.DEAD_LETTER.text() + ".");
        }
        DeadLetterRecord dead = DeadLetterRecord.of(letter, settings.maxRecordBytes());
        if (letter.event().isMessage() && !dead.complete()) {
            throw new DataException(DeadLetterRecord.message(letter)
                    + " A logical message is in no table, and this one is too large for a dead letter: raise "
                    + RouterOption.MAX_BYTES.key + " together with the limits of producer, topic and broker.");
        }
        counts.deadLetter(letter.reason());
        return record.newRecord(
                settings.deadLetterTopic(),
                null,
                dead.keySchema(),
                dead.key(),
                EventHeader.TEXT,
                dead.value(),
                RecordTime.safe(letter.event(), clock.millis()),
                dead.headers());
    }

    private void drop(Change.OfOutbox change, Settings settings) {
        counts.dropped(change.rule());
        if (change.rule() != DropRule.UPDATE) {
            return;
        }
        String id = change.eventId().orElse("(unknown)");
        switch (settings.onUpdate()) {
            case WARN -> LOG.warn("Outbox row {} was updated; an update is no event and is dropped", id);
            case ERROR -> LOG.error("Outbox row {} was updated; an update is no event and is dropped", id);
            case FATAL ->
                throw new IllegalStateException(
                        "Outbox row " + id + " was updated, and an update is no event. Insert a new"
                                + " row instead, or set " + RouterOption.ON_UPDATE.key + " to "
                                + Choice.OnUpdate.WARN.text() + ".");
        }
    }

    /** In one pass: {@link Headers#remove} walks the whole list for each name. */
    private static Headers joined(Headers incoming, Headers own) {
        if (incoming.isEmpty()) {
            return own;
        }
        Set<String> names = new HashSet<>();
        own.forEach(header -> names.add(header.key()));
        Headers headers = new ConnectHeaders();
        for (Header header : incoming) {
            if (!names.contains(header.key())) {
                headers.add(header);
            }
        }
        own.forEach(headers::add);
        return headers;
    }

    /** Nothing is held open. */
    @Override
    public void close() {}

    @Override
    public String version() {
        return RouterVersion.VALUE;
    }

    /** The options as Debezium describes its own, for its documentation tools. */
    @Override
    public Field.Set getConfigFields() {
        return Field.setOf(Arrays.stream(RouterOption.values())
                .map(option -> Field.create(option.key, option.title, option.doc)
                        .withType(option.kind.type())
                        .withImportance(option.importance)
                        .withDefault(defaultText(option)))
                .toList());
    }

    private static @Nullable String defaultText(RouterOption option) {
        Object value = option.kind.defaultValue();
        return value == null ? null : value.toString();
    }
}
