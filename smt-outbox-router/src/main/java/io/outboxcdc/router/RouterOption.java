package io.outboxcdc.router;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Width;

import java.util.List;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

/**
 * Every option of the router, each declared here and nowhere else: {@code config()}, the checks at start, error messages
 * and the reference page are made from it. Names and defaults that the stock router has too are the stock router's.
 */
@SuppressWarnings("ImmutableEnumChecker") // Kinds are immutable; the annotation to say so would be a dependency.
enum RouterOption {
    TABLES(
            "table.include.list",
            Group.TABLE,
            "Outbox tables",
            OptionKind.text(Check.TABLES),
            HIGH,
            "Which tables are the outbox: regular expressions, each for a whole schema.table, without regard to case, as in"
                    + " the connector. Changes of other tables pass on untouched. When not set, every change is taken for"
                    + " the outbox's, as the stock router does."),
    EVENT_ID(
            "table.field.event.id",
            Group.TABLE,
            "Event id column",
            OptionKind.column("id"),
            LOW,
            "Column of the event's id, which becomes the header id."),
    EVENT_KEY(
            "table.field.event.key",
            Group.TABLE,
            "Key column",
            OptionKind.column("aggregateid"),
            LOW,
            "Column that becomes the record's key. When not set, aggregate_id is understood too; aggregateid wins where the"
                    + " table has both."),
    EVENT_TYPE(
            "table.field.event.type",
            Group.TABLE,
            "Event type column",
            OptionKind.column("type"),
            LOW,
            "Column of the event's type, read only for event.type.header and cloudevents.headers. When not set, event_type"
                    + " is understood too; type wins where the table has both."),
    PAYLOAD(
            "table.field.event.payload",
            Group.TABLE,
            "Payload column",
            OptionKind.column("payload"),
            LOW,
            "Column that becomes the record's value, as the connector delivers it."),
    TIMESTAMP(
            "table.field.event.timestamp",
            Group.TABLE,
            "Time column",
            OptionKind.column(),
            MEDIUM,
            "Column that becomes the record's time: timestamptz or timestamp, in any time.precision.mode. When not set, or"
                    + " where the column is NULL, the time at which the connector read the change. A time that is negative,"
                    + " infinite, not readable or more than an hour ahead is replaced by that time and counted."),
    HEADERS(
            "table.field.event.headers",
            Group.TABLE,
            "Headers column",
            OptionKind.column(),
            MEDIUM,
            "Column that holds a JSON object (json, jsonb, text or hstore); each of its members becomes a record header."
                    + " Strings become their text, numbers and booleans their JSON text, objects and arrays compact JSON;"
                    + " null members are left out."),
    SCHEMA_VERSION(
            "table.field.event.schema.version",
            Group.TABLE,
            "Schema version column",
            OptionKind.column(),
            LOW,
            "Column of smallint or integer that becomes the version of the envelope's schema; NULL makes none. Without the"
                    + " placement envelope it has no effect, as in the stock router."),
    PLACEMENTS(
            "table.fields.additional.placement",
            Group.TABLE,
            "Placed columns",
            OptionKind.list(Check.PLACEMENTS),
            HIGH,
            "More columns and where they go, as column:placement or column:placement:alias. header makes a record header of"
                    + " the column's type, named by the alias; envelope makes the record's value a structure of the payload,"
                    + " under the name payload, and the column, named by the alias; partition takes the record's partition"
                    + " from a column of whole numbers, where NULL leaves the choice to the producer."),
    MISSING_PLACED(
            "table.field.additional.missing",
            Group.TABLE,
            "Missing placed columns",
            OptionKind.text("error", Check.oneOf(Choice.OnMissingColumn.class)),
            MEDIUM,
            "What to do about a placed column that the table does not have: error stops the task, ignore leaves it out."),
    ON_UPDATE(
            "table.op.invalid.behavior",
            Group.TABLE,
            "Updates of the outbox",
            OptionKind.text("warn", Check.oneOf(Choice.OnUpdate.class)),
            MEDIUM,
            "What to do about an UPDATE of an outbox row, which never becomes an event: warn and error log it and drop it,"
                    + " fatal stops the task."),
    EXPAND_JSON(
            "table.expand.json.payload",
            Group.TABLE,
            "Expand the payload",
            OptionKind.flag(Check.ANY),
            MEDIUM,
            "Whether a payload of json, jsonb or text is turned into structured data with a schema, for converters that"
                    + " write schemas. A document that no Connect schema expresses exactly is a dead letter. Numbers that"
                    + " neither INT64 nor FLOAT64 holds with all their digits, such as 1.10, become a Decimal. A payload of"
                    + " bytes is published as it is."),
    NULL_MEMBERS(
            "table.json.payload.null.behavior",
            Group.TABLE,
            "Null members",
            OptionKind.text(Check.oneOf(Choice.NullMembers.class)),
            LOW,
            "For expanded payloads: ignore leaves members out that are null, optional_bytes keeps them as optional bytes."
                    + " Either also says that a missing member need not be told from one that is null, so that the objects"
                    + " of an array may differ in their members. When not set, null members are kept and such arrays are"
                    + " dead letters."),
    EMPTY_ARRAYS(
            "table.json.payload.empty.array.behavior",
            Group.TABLE,
            "Empty arrays",
            OptionKind.text(Check.oneOf(Choice.EmptyArrays.class)),
            LOW,
            "For expanded payloads: ignore leaves members out that are empty arrays, optional_string keeps them as arrays"
                    + " of optional strings. When not set, they are kept."),
    NAME_ADJUSTMENT(
            "field.name.adjustment.mode",
            Group.TABLE,
            "Names of members",
            OptionKind.text("none", Check.oneOf(Choice.NameAdjustment.class)),
            LOW,
            "For expanded payloads: avro replaces what Avro does not allow in a member's name by an underscore,"
                    + " avro_unicode by the character's code; the value follows its name. With none, a converter may refuse"
                    + " names that it does not know to write, which stops the task."),
    ROUTE_BY(
            "route.by.field",
            Group.ROUTER,
            "Aggregate type column",
            OptionKind.column("aggregatetype"),
            HIGH,
            "Text column of the aggregate type, from which the topic is made. When not set, aggregate_type is understood"
                    + " too; aggregatetype wins where the table has both."),
    TOPIC_REGEX(
            "route.topic.regex",
            Group.ROUTER,
            "Topic regex",
            OptionKind.text("(?<routedByValue>.*)", Check.REGEX),
            LOW,
            "Regular expression that the whole aggregate type must match. An aggregate type that does not is a dead"
                    + " letter."),
    TOPIC_REPLACEMENT(
            "route.topic.replacement",
            Group.ROUTER,
            "Topic replacement",
            OptionKind.text("outbox.event.${routedByValue}", Check.ANY),
            HIGH,
            "The topic, with references to groups of route.topic.regex, such as ${routedByValue} or $1."),
    ALLOW_LIST(
            "route.topic.allow.list",
            Group.ROUTER,
            "Allowed aggregate types",
            OptionKind.list(Check.NAMES),
            MEDIUM,
            "The aggregate types that are events. When set, a row of any other is a dead letter, so that a typo makes no"
                    + " topic. Compared exactly."),
    TOMBSTONES(
            "route.tombstone.on.empty.payload",
            Group.ROUTER,
            "Tombstones",
            OptionKind.flag(Check.ANY),
            HIGH,
            "Whether a payload that is NULL, blank or of no bytes makes a tombstone: a record with a key and no value. If"
                    + " not, a NULL payload is a dead letter and the others are published as they are."),
    EVENT_TYPE_HEADER(
            "event.type.header",
            Group.EVENTS,
            "Event type header",
            OptionKind.text(Check.HEADER),
            MEDIUM,
            "Name of the header that carries the event type column; NULL makes no header. When not set, there is none."),
    CLOUDEVENTS(
            "cloudevents.headers",
            Group.EVENTS,
            "CloudEvents headers",
            OptionKind.flag(Check.ANY),
            MEDIUM,
            "Whether records are CloudEvents 1.0 in binary mode: with the headers ce_specversion, ce_id, ce_source, ce_type,"
                    + " ce_subject (the key), ce_time, ce_sequence and content-type, and ce_dataschema where the headers"
                    + " column has a member dataschema; its member datacontenttype becomes content-type. A row that makes no"
                    + " legal CloudEvent, one without an event type above all, is a dead letter."),
    CLOUDEVENTS_SOURCE(
            "cloudevents.source",
            Group.EVENTS,
            "CloudEvents source",
            OptionKind.text(Check.URI_REFERENCE),
            LOW,
            "The attribute source of every CloudEvent. When not set, a slash and the connector's topic.prefix."),
    MESSAGE_PREFIX(
            "message.prefix",
            Group.EVENTS,
            "Prefix of messages",
            OptionKind.text(Check.PREFIX),
            MEDIUM,
            "Logical decoding messages with exactly this prefix are events too: JSON objects with the outbox's columns, as"
                    + " public.outbox_emit writes them. The payload is the member payload as its JSON text, or payload_text,"
                    + " or payload_base64. One that is not transactional, or no such object, is a dead letter; one that is"
                    + " too large for a dead letter stops the task, since no table holds it. When not set, messages pass on"
                    + " untouched. Whoever may call pg_logical_emit_message may then publish: see sql/60_table_free.sql."),
    SNAPSHOT_EVENTS(
            "snapshot.events",
            Group.EVENTS,
            "Rows of a snapshot",
            OptionKind.text("route", Check.oneOf(Choice.SnapshotEvents.class)),
            MEDIUM,
            "What to do about rows that a snapshot has read: route publishes them, as the stock router does; drop does not."
                    + " With snapshot.mode=initial take route: what was committed before the snapshot comes by it alone, so"
                    + " drop would lose it."),
    ON_INVALID(
            "on.invalid.event",
            Group.SAFETY,
            "Invalid rows",
            OptionKind.text("dead-letter", Check.oneOf(Choice.OnInvalidEvent.class)),
            HIGH,
            "What to do about a row that makes no legal event: dead-letter sends it to dead.letter.topic with the reason,"
                    + " and later rows flow on; fail stops the task, which keeps the order of the row's aggregate."),
    DEAD_LETTER_TOPIC(
            "dead.letter.topic",
            Group.SAFETY,
            "Dead-letter topic",
            OptionKind.text("outbox.dead-letter", Check.TOPIC),
            HIGH,
            "Topic for rows that make no legal event. No event may be routed to it."),
    MAX_BYTES(
            "max.record.bytes",
            Group.SAFETY,
            "Largest record, bytes",
            OptionKind.number(1_000_000, Check.BYTES),
            MEDIUM,
            "Largest size of key, value and headers together, in bytes before conversion; each header counts ten bytes"
                    + " more than its name and value. A larger event is a dead letter"
                    + " without its payload. Keep it under the producer's max.request.size and the topic's"
                    + " max.message.bytes."),
    SPAN_CONTEXT(
            "tracing.span.context.field",
            Group.TRACING,
            "Span context column",
            OptionKind.column("tracingspancontext"),
            LOW,
            "Text column in the format of java.util.Properties whose traceparent, tracestate and baggage become record"
                    + " headers, unless the headers column has them. A table without the column has none."),
    SPAN_NAME(
            "tracing.operation.name",
            Group.TRACING,
            "Span name",
            OptionKind.text("debezium-read", Check.ANY),
            LOW,
            "Accepted for the stock router's sake. This router makes no spans."),
    SPAN_ONLY_WITH_CONTEXT(
            "tracing.with.context.field.only",
            Group.TRACING,
            "Trace only with context",
            OptionKind.flag(Check.ANY),
            LOW,
            "Accepted for the stock router's sake. This router makes no spans.");

    enum Group {
        TABLE("Table"),
        ROUTER("Router"),
        EVENTS("Events"),
        SAFETY("Safety"),
        TRACING("Tracing");

        final String title;

        Group(String title) {
            this.title = title;
        }
    }

    final String key;
    final Group group;
    final String title;
    final OptionKind kind;
    final Importance importance;
    final String doc;

    RouterOption(String key, Group group, String title, OptionKind kind, Importance importance, String doc) {
        this.key = key;
        this.group = group;
        this.title = title;
        this.kind = kind;
        this.importance = importance;
        this.doc = doc;
    }

    /** A fresh definition of all options, for Connect to read and show. */
    static ConfigDef configDef() {
        ConfigDef definition = new ConfigDef();
        for (RouterOption option : values()) {
            definition.define(
                    option.key,
                    option.kind.type(),
                    option.kind.defaultValue(),
                    option.kind.check(),
                    option.importance,
                    option.doc,
                    option.group.title,
                    definition.configKeys().size(),
                    option.kind.isShort() ? Width.SHORT : Width.LONG,
                    option.title,
                    List.of(),
                    Contradiction.recommenderOf(option));
        }
        return definition;
    }
}
