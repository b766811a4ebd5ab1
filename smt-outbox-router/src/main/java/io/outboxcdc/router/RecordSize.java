package io.outboxcdc.router;

import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;

/** Estimates how many bytes a value takes: exactly for text and bytes, roughly for the rest. */
final class RecordSize {

    private static final int NUMBER = 8;

    /** What a record spends on the lengths of a header's name and value: varints, of up to five bytes each. */
    private static final int HEADER = 10;

    /** UTF-8 writes the two halves of a pair, two characters in Java, as four bytes. */
    private static final int MOST_BYTES_OF_A_CHARACTER = 3;

    private RecordSize() {}

    static long of(@Nullable Object value) {
        if (value == null) {
            return 0;
        }
        if (value instanceof CharSequence text) {
            return Utils.utf8Length(text);
        }
        if (value instanceof byte[] bytes) {
            return bytes.length;
        }
        if (value instanceof ByteBuffer buffer) {
            return buffer.remaining();
        }
        if (value instanceof Struct struct) {
            long size = 0;
            for (Field field : struct.schema().fields()) {
                size += field.name().length() + of(struct.getWithoutDefault(field.name()));
            }
            return size;
        }
        if (value instanceof Map<?, ?> map) {
            return of(map.keySet()) + of(map.values());
        }
        if (value instanceof Collection<?> values) {
            return values.stream().mapToLong(RecordSize::of).sum();
        }
        return value instanceof Number number
                        && number.getClass().getPackageName().equals("java.math")
                ? number.toString().length()
                : NUMBER;
    }

    /** An upper bound, for which no text is walked through. */
    static long atMost(@Nullable Object value) {
        return value instanceof String text ? (long) MOST_BYTES_OF_A_CHARACTER * text.length() : of(value);
    }

    /** An upper bound, for which no text is walked through. */
    static long atMost(Headers headers) {
        long size = 0;
        for (Header header : headers) {
            size += atMost(header.key()) + atMost(header.value()) + HEADER;
        }
        return size;
    }

    static long of(Headers headers) {
        long size = 0;
        for (Header header : headers) {
            size += of(header.key()) + of(header.value()) + HEADER;
        }
        return size;
    }
}
