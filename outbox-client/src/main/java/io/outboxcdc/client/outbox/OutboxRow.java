package io.outboxcdc.client.outbox;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** An event as it goes into the table. {@code payloadText} and {@code payloadBytes} are never both there. */
record OutboxRow(
        UUID id,
        String aggregateType,
        String aggregateId,
        Optional<String> eventType,
        Optional<String> payloadText,
        Optional<byte[]> payloadBytes,
        Map<String, Object> headers) {

    /** What a record spends on a header besides name and value, as the router counts it. */
    private static final int HEADER = 10;

    private static final int UUID_TEXT = 36;

    /** Key, value and headers of the record, about as the router measures them. */
    long estimatedBytes() {
        long size = TextSize.utf8(aggregateId) + "id".length() + UUID_TEXT + HEADER;
        size += payloadText.map(TextSize::jsonb).orElse(0L);
        size += payloadBytes.map(bytes -> (long) bytes.length).orElse(0L);
        size += eventType
                .map(type -> "eventType".length() + TextSize.utf8(type) + HEADER)
                .orElse(0L);
        for (Map.Entry<String, Object> header : headers.entrySet()) {
            size += TextSize.utf8(header.getKey())
                    + TextSize.utf8(header.getValue().toString())
                    + HEADER;
        }
        return size;
    }
}
