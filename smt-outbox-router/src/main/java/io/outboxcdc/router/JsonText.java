package io.outboxcdc.router;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** Writes a column's value as one JSON text: text as a string that is never parsed, bytes in base64. */
final class JsonText {

    private static final JsonFactory JSON = new JsonFactory();

    private JsonText() {}

    static String of(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException("Writing JSON to memory failed", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof byte[] bytes) {
            json.writeBinary(bytes);
        } else if (value instanceof ByteBuffer buffer) {
            json.writeBinary(Utils.toArray(buffer.duplicate()));
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Number number) {
            writeNumber(json, number);
        } else if (value instanceof Date date) {
            json.writeString(date.toInstant().toString());
        } else if (value instanceof Struct struct) {
            json.writeStartObject();
            for (Field field : struct.schema().fields()) {
                json.writeFieldName(field.name());
                write(json, struct.getWithoutDefault(field.name()));
            }
            json.writeEndObject();
        } else if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(json, element);
            }
            json.writeEndArray();
        } else {
            json.writeString(value.toString());
        }
    }

    /** JSON has no NaN and no infinity: these become strings. */
    private static void writeNumber(JsonGenerator json, Number number) throws IOException {
        double approximately = number.doubleValue();
        boolean floating = number instanceof Double || number instanceof Float;
        if (floating && (Double.isNaN(approximately) || Double.isInfinite(approximately))) {
            json.writeString(number.toString());
        } else {
            json.writeNumber(number.toString());
        }
    }
}
