package io.outboxcdc.router;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.json.JsonConverterConfig;
import org.apache.kafka.connect.storage.Converter;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes keys and values as they are: text as UTF-8, bytes as bytes, nothing as a tombstone. What is neither, such as the
 * heartbeats and transaction records of the same connector, becomes JSON without schemas, so that no record stops the
 * task. A JSON payload thus reaches Kafka as the text that the database holds, neither parsed nor quoted.
 *
 * <p>Options are those of Kafka's {@link JsonConverter}, for the records that become JSON; {@code schemas.enable} is
 * always false. Thread-safe once configured, as {@link JsonConverter} is.
 */
public final class OutboxConverter implements Converter {

    private final JsonConverter json = new JsonConverter();

    /** Made by Connect, which then calls {@link #configure(Map, boolean)}. */
    public OutboxConverter() {}

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        Map<String, Object> options = new HashMap<>(configs);
        options.put(JsonConverterConfig.SCHEMAS_ENABLE_CONFIG, false);
        json.configure(options, isKey);
    }

    /**
     * @param schema may be null
     * @return null for a null value
     * @throws org.apache.kafka.connect.errors.DataException if the value does not fit its schema
     */
    @Override
    public byte @Nullable [] fromConnectData(String topic, @Nullable Schema schema, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        if (value instanceof ByteBuffer buffer) {
            return Utils.toArray(buffer.duplicate());
        }
        return json.fromConnectData(topic, schema, value);
    }

    /** Text where the bytes are UTF-8, else the bytes; JSON stays text. Source connectors never ask for it. */
    @Override
    public SchemaAndValue toConnectData(String topic, byte @Nullable [] value) {
        if (value == null) {
            return SchemaAndValue.NULL;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
            return new SchemaAndValue(Schema.OPTIONAL_STRING_SCHEMA, text);
        } catch (CharacterCodingException e) {
            return new SchemaAndValue(Schema.OPTIONAL_BYTES_SCHEMA, value);
        }
    }

    @Override
    public ConfigDef config() {
        return json.config();
    }

    @Override
    public void close() {
        json.close();
    }

    @Override
    public String version() {
        return RouterVersion.VALUE;
    }
}
