package io.outboxcdc.client.outbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * An event to be appended. Immutable; what is wrong with it shows when it is appended, all at once.
 *
 * <pre>{@code
 * OutboxEvent.of("order", "42").withEventType("OrderPlaced").withPayload(order).withHeader("tenant", "acme")
 * }</pre>
 *
 * @param id what consumers drop repeats by; a new UUIDv7 when empty
 * @param aggregateType becomes the topic {@code outbox.event.<aggregateType>}
 * @param aggregateId becomes the key, within which events keep their order
 * @param eventType becomes the header {@code eventType}
 * @param payload becomes the value
 * @param headers become Kafka headers; values are text, numbers or booleans
 */
public record OutboxEvent(
        Optional<UUID> id,
        String aggregateType,
        String aggregateId,
        Optional<String> eventType,
        Payload payload,
        Map<String, Object> headers) {

    public OutboxEvent {
        headers = Map.copyOf(headers);
    }

    /** An event without id, type and headers, and with {@link Payload#NONE}. */
    public static OutboxEvent of(String aggregateType, String aggregateId) {
        return new OutboxEvent(Optional.empty(), aggregateType, aggregateId, Optional.empty(), Payload.NONE, Map.of());
    }

    /** A copy with an id of the application's own, for example when an earlier event is written again. */
    public OutboxEvent withId(UUID newId) {
        return new OutboxEvent(Optional.of(newId), aggregateType, aggregateId, eventType, payload, headers);
    }

    /** A copy with this event type. */
    public OutboxEvent withEventType(String newType) {
        return new OutboxEvent(id, aggregateType, aggregateId, Optional.of(newType), payload, headers);
    }

    /** A copy with an object as payload, which becomes JSON when the event is appended. */
    public OutboxEvent withPayload(Object object) {
        return with(new Payload.Value(object));
    }

    /** A copy with ready-made text as payload, mostly JSON. */
    public OutboxEvent withPayloadText(String text) {
        return with(new Payload.Text(text));
    }

    /** A copy with bytes as payload. */
    public OutboxEvent withPayloadBytes(byte[] bytes) {
        return with(new Payload.Bytes(bytes));
    }

    /**
     * A copy with one more header.
     *
     * @param value text, a number or a boolean
     */
    public OutboxEvent withHeader(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new OutboxEvent(id, aggregateType, aggregateId, eventType, payload, more);
    }

    private OutboxEvent with(Payload newPayload) {
        return new OutboxEvent(id, aggregateType, aggregateId, eventType, newPayload, headers);
    }

    /** Without payload and header values: an event must not get into a log by way of its name. */
    @Override
    public String toString() {
        return "OutboxEvent[id=" + id.map(UUID::toString).orElse("new") + ", aggregateType=" + aggregateType
                + ", aggregateId=" + aggregateId + ", eventType=" + eventType.orElse("none") + "]";
    }
}
