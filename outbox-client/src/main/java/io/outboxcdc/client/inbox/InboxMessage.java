package io.outboxcdc.client.inbox;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A message as it came from its topic. The arrays are not copied: leave them as they are.
 *
 * @param id what repeats are known by: the header {@code id}, or where the record lies when that is missing
 * @param time the record's time
 * @param key the aggregate's id for events of the outbox; messages with one key of a topic keep their order
 * @param value null for a tombstone
 * @param headers in their order; a name may be there several times
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record InboxMessage(
        String id,
        String topic,
        int partition,
        long offset,
        Instant time,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<Header> headers) {

    /**
     * A header of the record.
     *
     * @param value null where the producer wrote null
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    public record Header(String name, byte @Nullable [] value) {}

    public InboxMessage {
        headers = List.copyOf(headers);
    }

    /** The key as text; empty when there is none. */
    public Optional<String> keyText() {
        return text(key);
    }

    /** The value as text; empty for a tombstone. */
    public Optional<String> valueText() {
        return text(value);
    }

    /** The last header of that name, as text; empty when there is none. */
    public Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.name().equals(name))
                .reduce((first, second) -> second)
                .flatMap(header -> text(header.value()));
    }

    /** The header {@code eventType}, in which events of the outbox carry it. */
    public Optional<String> eventType() {
        return header("eventType");
    }

    /** Where it lies, for logs and errors. */
    public String place() {
        return topic + "-" + partition + "@" + offset;
    }

    /**
     * What keeps its order: topic and key. Without a key there is no order to keep, so such a message is on its own. Two
     * keys of one hash would share a lane: slower, not wrong.
     */
    UUID lane() {
        byte[] name = topic.getBytes(StandardCharsets.UTF_8);
        byte[] rest = key == null ? id.getBytes(StandardCharsets.UTF_8) : key;
        byte kind = (byte) (key == null ? 1 : 0);
        return UUID.nameUUIDFromBytes(ByteBuffer.allocate(name.length + 1 + rest.length)
                .put(name)
                .put(kind)
                .put(rest)
                .array());
    }

    /** Without key, value and headers, which must not get into a log. */
    @Override
    public String toString() {
        return "InboxMessage[id=" + id + ", place=" + place() + "]";
    }

    private static Optional<String> text(byte @Nullable [] bytes) {
        return bytes == null ? Optional.empty() : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
}
