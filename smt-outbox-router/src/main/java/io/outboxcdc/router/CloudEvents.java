package io.outboxcdc.router;

import io.debezium.data.Json;
import io.debezium.data.Xml;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Headers that make a record a CloudEvent 1.0 in
 * <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md">Kafka's binary
 * mode</a>. Immutable and thread-safe.
 *
 * @param source the source of every event; empty for the connector's own name
 */
record CloudEvents(Optional<String> source) {

    static final String PREFIX = "ce_";
    static final String CONTENT_TYPE = "content-type";

    /** The members of a row's headers column that are attributes, named as CloudEvents names them. */
    private static final String DATA_SCHEMA = "dataschema";

    private static final String DATA_CONTENT_TYPE = "datacontenttype";

    /** RFC 2045: a type, a subtype, and parameters. */
    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[\\w!#$&^.+-]+/[\\w!#$&^.+-]+(\\s*;\\s*[\\w!#$&^.+-]+=([\\w!#$&^.+-]+|\"[^\"]*\"))*");

    /** The positions of the last commit before the change and of the change, as the connector reports them. */
    private static final Pattern SEQUENCE = Pattern.compile("\\[(?:\"(\\d+)\"|null),\\s*(?:\"(\\d+)\"|null)\\]");

    sealed interface Result {}

    record Attributes(List<EventHeader> headers) implements Result {}

    /** @param column the column at fault */
    record Refused(Optional<String> column, String why) implements Result {}

    /**
     * A row's own headers once the attributes are taken out of them.
     *
     * @param dropped how many were left out, since their names are those of attributes
     */
    record RowMembers(
            List<EventHeader> rest, Optional<String> dataSchema, Optional<String> dataContentType, int dropped) {}

    /** Whether no header of a row, and no placed column, may have this name. */
    static boolean isReserved(String name) {
        return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length()) || name.equalsIgnoreCase(CONTENT_TYPE);
    }

    static RowMembers split(List<EventHeader> members) {
        List<EventHeader> rest = new ArrayList<>(members.size());
        Optional<String> dataSchema = Optional.empty();
        Optional<String> dataContentType = Optional.empty();
        int dropped = 0;
        for (EventHeader member : members) {
            if (member.name().equals(DATA_SCHEMA)) {
                dataSchema = Optional.of(member.text());
            } else if (member.name().equals(DATA_CONTENT_TYPE)) {
                dataContentType = Optional.of(member.text());
            } else if (isReserved(member.name())) {
                dropped++;
            } else {
                rest.add(member);
            }
        }
        return new RowMembers(rest, dataSchema, dataContentType, dropped);
    }

    /**
     * The attributes of an event.
     *
     * @param time        the record's
     * @param valueSchema the value's; null for a tombstone
     */
    Result of(OutboxEvent event, RowMembers members, RecordTime time, @Nullable Schema valueSchema) {
        OutboxTable table = event.table();
        Object id = event.id();
        if (!isText(id)) {
            return new Refused(Optional.of(table.id().name()), "the event id is no text and no number");
        }
        Object type = table.eventType().map(column -> column.of(event.row())).orElse(null);
        if (type == null || !isText(type) || EventRules.isBlank(type)) {
            return new Refused(table.eventType().map(Column::name), "the event type is NULL, blank or no text");
        }
        Optional<String> origin = source.or(() -> event.connector().map(name -> "/" + name));
        if (origin.isEmpty()) {
            return new Refused(
                    Optional.empty(),
                    "the change does not say which connector it comes from, and " + RouterOption.CLOUDEVENTS_SOURCE.key
                            + " is not set");
        }
        if (members.dataSchema.isPresent() && !isUri(members.dataSchema.get(), true)) {
            return new Refused(table.headers().map(Column::name), DATA_SCHEMA + " is no absolute URI");
        }
        if (members.dataContentType.isPresent()
                && !MEDIA_TYPE.matcher(members.dataContentType.get()).matches()) {
            return new Refused(table.headers().map(Column::name), DATA_CONTENT_TYPE + " is no media type");
        }

        List<EventHeader> headers = new ArrayList<>();
        add(headers, "specversion", "1.0");
        add(headers, "id", String.valueOf(id));
        add(headers, "source", origin.get());
        add(headers, "type", String.valueOf(type));
        if (isText(event.key())) {
            add(headers, "subject", String.valueOf(event.key()));
        }
        time(event, time).ifPresent(moment -> add(headers, "time", moment));
        members.dataSchema.ifPresent(uri -> add(headers, DATA_SCHEMA, uri));
        event.sequence().flatMap(CloudEvents::sequence).ifPresent(text -> add(headers, "sequence", text));
        if (valueSchema != null) {
            members.dataContentType
                    .or(() -> contentType(valueSchema))
                    .ifPresent(mediaType -> headers.add(new EventHeader(CONTENT_TYPE, mediaType)));
        }
        return new Attributes(headers);
    }

    static boolean isUri(String text, boolean absolute) {
        try {
            return !text.isEmpty() && (new URI(text).isAbsolute() || !absolute);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** When it occurred: the row's own time, else the commit's. */
    private static Optional<String> time(OutboxEvent event, RecordTime time) {
        Long millis = time.isRows() ? time.millis() : event.committedAt();
        return Optional.ofNullable(millis)
                .map(known -> Instant.ofEpochMilli(known).toString());
    }

    /** Sorts as text in the order of commits, and within a transaction in the order of its statements. */
    private static Optional<String> sequence(String positions) {
        Matcher both = SEQUENCE.matcher(positions);
        return both.matches()
                ? Optional.of("%016X-%016X".formatted(position(both.group(1)), position(both.group(2))))
                : Optional.empty();
    }

    private static long position(@Nullable String digits) {
        return digits == null ? 0 : Long.parseUnsignedLong(digits);
    }

    /** Said only where it is known: text may hold anything, and the converter decides on structured data. */
    private static Optional<String> contentType(Schema valueSchema) {
        if (Json.LOGICAL_NAME.equals(valueSchema.name())) {
            return Optional.of("application/json");
        }
        if (Xml.LOGICAL_NAME.equals(valueSchema.name())) {
            return Optional.of("application/xml");
        }
        return valueSchema.type() == Schema.Type.BYTES ? Optional.of("application/octet-stream") : Optional.empty();
    }

    private static boolean isText(@Nullable Object value) {
        return value instanceof String || value instanceof Number;
    }

    private static void add(List<EventHeader> headers, String attribute, String value) {
        headers.add(new EventHeader(PREFIX + attribute, value));
    }
}
