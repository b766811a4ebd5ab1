package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Judges changes: which become events, which dead letters, which nothing. Pure and thread-safe. */
final class EventRules {

    private final Settings settings;
    private final Clock clock;
    private final Set<String> configuredHeaders;

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
        HeadersJson.Result members = members(event.headers());
        if (members instanceof HeadersJson.Refused refused) {
            return new Verdict.DeadLetter(
                    event, refused.reason(), table.headers().map(Column::name), refused.why());
        }
        Optional<Column> partitionColumn = event.table().partition();
        Number partition =
                (Number) partitionColumn.map(column -> column.of(event.row())).orElse(null);
        if (partitionColumn.isPresent() && partition != null && !isPartition(partition)) {
            return deadLetter(
                    event, DeadLetterReason.PARTITION_INVALID, partitionColumn.get(), "this is no partition number");
        }

        Map<String, String> byName = ((HeadersJson.Members) members).byName();
        CloudEvents.RowMembers cloudEvent = null;
        if (settings.cloudEvents().isPresent()) {
            cloudEvent = CloudEvents.split(byName);
            byName = cloudEvent.rest();
        }
        RowHeaders rowHeaders = RowHeaders.of(byName, event.spanContext(), configuredHeaders);
        List<EventHeader> headers = headers(event, id, rowHeaders);
        RecordTime time = RecordTime.of(event, clock.millis());
        Schema valueSchema = tombstone ? null : table.payload().schema();
        Object value = tombstone ? null : payload;
        long valueSize;
        if (value == null || !StructuredValue.isWanted(table, settings)) {
            valueSize = RecordSize.of(value);
        } else {
            try {
                StructuredValue structured = StructuredValue.of(event, value, type, settings);
                valueSchema = structured.schema();
                value = structured.value();
                valueSize = structured.size();
            } catch (NotExpressibleException e) {
                return deadLetter(event, DeadLetterReason.NOT_EXPRESSIBLE, table.payload(), e.why());
            }
        }
        if (cloudEvent != null) {
            CloudEvents.Result attributes = settings.cloudEvents().get().of(event, cloudEvent, time, valueSchema);
            if (attributes instanceof CloudEvents.Refused refused) {
                return new Verdict.DeadLetter(
                        event, DeadLetterReason.CLOUDEVENT_INVALID, refused.column(), refused.why());
            }
            headers.addAll(((CloudEvents.Attributes) attributes).headers());
        }
        long size = RecordSize.of(key) + valueSize + RecordSize.of(headers);
        if (size > settings.maxRecordBytes()) {
            return new Verdict.DeadLetter(
                    event,
                    DeadLetterReason.RECORD_TOO_LARGE,
                    Optional.empty(),
                    "the record has " + size + " bytes and " + RouterOption.MAX_BYTES.key + " is "
                            + settings.maxRecordBytes());
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

    private List<EventHeader> headers(OutboxEvent event, Object id, RowHeaders rowHeaders) {
        List<EventHeader> headers = new ArrayList<>();
        headers.add(new EventHeader(HeaderNames.ID, event.table().id().schema(), id));
        for (OutboxTable.PlacedColumn placed : event.table().placedHeaders()) {
            Column column = placed.column();
            headers.add(new EventHeader(placed.name(), column.schema(), column.of(event.row())));
        }
        settings.eventTypeHeader()
                .ifPresent(name -> event.table().eventType().ifPresent(column -> {
                    Object type = column.of(event.row());
                    if (type != null) {
                        headers.add(new EventHeader(name, column.schema(), type));
                    }
                }));
        headers.addAll(rowHeaders.headers());
        return headers;
    }

    private static HeadersJson.Result members(@Nullable Object headers) {
        if (headers == null) {
            return new HeadersJson.Members(Map.of());
        }
        if (headers instanceof Map<?, ?> hstore) {
            Map<String, String> members = new LinkedHashMap<>();
            hstore.forEach((name, value) -> {
                if (value != null) {
                    members.put(String.valueOf(name), String.valueOf(value));
                }
            });
            return new HeadersJson.Members(members);
        }
        return HeadersJson.read((String) headers);
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
