package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Judges new rows of the outbox: which become events, and which dead letters. Thread-safe. */
final class EventRules {

    private final Settings settings;
    private final Clock clock;
    private final Set<String> configuredHeaders;
    private final HeadersColumn headersColumn = new HeadersColumn();

    EventRules(Settings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.configuredHeaders = Stream.concat(
                        settings.eventTypeHeader().stream(),
                        settings.columns().placed().stream()
                                .filter(Placement::isHeader)
                                .map(Placement::name))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    Verdict judge(OutboxEvent event) {
        OutboxTable table = event.table();
        Object id = event.id();
        if (id == null || isBlank(id)) {
            return deadLetter(event, DeadLetterReason.ID_MISSING, table.id(), "the event id is NULL or blank");
        }
        String type = event.aggregateType();
        if (type == null) {
            return deadLetter(
                    event, DeadLetterReason.TYPE_MISSING, table.aggregateType(), "the aggregate type is NULL");
        }
        Topics.Route route = settings.topics().of(type);
        if (route instanceof Topics.Refused refused) {
            return deadLetter(event, refused.reason(), table.aggregateType(), refused.why());
        }
        Object key = event.key();
        if (key == null || isBlank(key)) {
            return deadLetter(event, DeadLetterReason.KEY_MISSING, table.key(), "the key is NULL or blank");
        }
        Object payload = event.payload();
        boolean tombstone = settings.tombstoneOnEmptyPayload() && isEmpty(payload);
        if (payload == null && !tombstone) {
            return deadLetter(event, DeadLetterReason.PAYLOAD_MISSING, table.payload(), "the payload is NULL");
        }
        HeadersJson.Result members = headersColumn.read(event.headers());
        if (members instanceof HeadersJson.Refused refused) {
            return new Verdict.DeadLetter(
                    event, refused.reason(), table.headers().map(Column::name), refused.why());
        }
        Column partitionColumn = table.partition().orElse(null);
        Number partition = partitionColumn == null ? null : (Number) partitionColumn.of(event.row());
        if (partitionColumn != null && partition != null && !isPartition(partition)) {
            return deadLetter(
                    event, DeadLetterReason.PARTITION_INVALID, partitionColumn, "this is no partition number");
        }

        List<EventHeader> texts = ((HeadersJson.Members) members).texts();
        CloudEvents.RowMembers cloudEvent = null;
        if (settings.cloudEvents().isPresent()) {
            cloudEvent = CloudEvents.split(texts);
            texts = cloudEvent.rest();
        }
        Headers headers = headers(event, id);
        RowHeaders rowHeaders = RowHeaders.set(headers, texts, event.spanContext(), configuredHeaders);
        RecordTime time = RecordTime.of(event, clock);
        Schema valueSchema = tombstone ? null : table.payload().schema();
        Object value = tombstone ? null : payload;
        long besidePayload = 0;
        if (value != null && StructuredValue.isWanted(table, settings)) {
            try {
                StructuredValue structured = StructuredValue.of(event, value, type, settings);
                valueSchema = structured.schema();
                value = structured.value();
                besidePayload = structured.besidePayload();
            } catch (NotExpressibleException e) {
                return deadLetter(event, DeadLetterReason.NOT_EXPRESSIBLE, table.payload(), e.why());
            }
        }
        Optional<Verdict> refused =
                cloudEvent == null ? Optional.empty() : addAttributes(headers, event, cloudEvent, time, valueSchema);
        if (refused.isEmpty()) {
            refused = tooLarge(event, key, tombstone ? null : payload, besidePayload, headers);
        }
        if (refused.isPresent()) {
            return refused.get();
        }
        return new Verdict.Publish(
                ((Topics.To) route).topic(),
                partition == null ? null : (Integer) partition.intValue(),
                table.key().schema(),
                key,
                valueSchema,
                value,
                time.millis(),
                headers,
                time.replaced(),
                rowHeaders.dropped() + (cloudEvent == null ? 0 : cloudEvent.dropped()),
                rowHeaders.invalidTrace());
    }

    private Optional<Verdict> addAttributes(
            Headers headers,
            OutboxEvent event,
            CloudEvents.RowMembers members,
            RecordTime time,
            @Nullable Schema valueSchema) {
        CloudEvents.Result attributes = settings.cloudEvents().orElseThrow().of(event, members, time, valueSchema);
        if (attributes instanceof CloudEvents.Refused refused) {
            return Optional.of(new Verdict.DeadLetter(
                    event, DeadLetterReason.CLOUDEVENT_INVALID, refused.column(), refused.why()));
        }
        for (EventHeader attribute : ((CloudEvents.Attributes) attributes).headers()) {
            headers.addString(attribute.name(), attribute.text());
        }
        return Optional.empty();
    }

    /** Counts only what may be too large: that walks through every character. */
    private Optional<Verdict> tooLarge(
            OutboxEvent event, Object key, @Nullable Object payload, long besidePayload, Headers headers) {
        long most = RecordSize.atMost(key) + RecordSize.atMost(payload) + besidePayload + RecordSize.atMost(headers);
        if (most <= settings.maxRecordBytes()) {
            return Optional.empty();
        }
        long size = RecordSize.of(key) + RecordSize.of(payload) + besidePayload + RecordSize.of(headers);
        return size <= settings.maxRecordBytes()
                ? Optional.empty()
                : Optional.of(new Verdict.DeadLetter(
                        event,
                        DeadLetterReason.RECORD_TOO_LARGE,
                        Optional.empty(),
                        "the record has " + size + " bytes and " + RouterOption.MAX_BYTES.key + " is "
                                + settings.maxRecordBytes()));
    }

    /** The headers that options ask for. Names differ: options that name a header twice are refused. */
    private Headers headers(OutboxEvent event, Object id) {
        OutboxTable table = event.table();
        Headers headers =
                new ConnectHeaders().add(HeaderNames.ID, id, table.id().schema());
        for (OutboxTable.PlacedColumn placed : table.placedHeaders()) {
            Column column = placed.column();
            headers.add(placed.name(), column.of(event.row()), column.schema());
        }
        String typeHeader = settings.eventTypeHeader().orElse(null);
        Column typeColumn = table.eventType().orElse(null);
        Object type = typeHeader == null || typeColumn == null ? null : typeColumn.of(event.row());
        if (typeHeader != null && typeColumn != null && type != null) {
            headers.add(typeHeader, type, typeColumn.schema());
        }
        return headers;
    }

    private static boolean isPartition(Number number) {
        return number.longValue() >= 0 && number.longValue() <= Integer.MAX_VALUE;
    }

    static boolean isBlank(Object value) {
        return value instanceof String text ? text.isBlank() : hasNoBytes(value);
    }

    /** Empty as the stock router has it, and bytes of length 0 too. */
    private static boolean isEmpty(@Nullable Object payload) {
        return payload == null
                || (payload instanceof String text
                        ? text.chars().allMatch(character -> character <= ' ')
                        : hasNoBytes(payload));
    }

    private static boolean hasNoBytes(Object value) {
        return (value instanceof byte[] bytes && bytes.length == 0)
                || (value instanceof ByteBuffer buffer && !buffer.hasRemaining());
    }

    private static Verdict deadLetter(OutboxEvent event, DeadLetterReason reason, Column column, String why) {
        return new Verdict.DeadLetter(event, reason, Optional.of(column.name()), why);
    }
}
