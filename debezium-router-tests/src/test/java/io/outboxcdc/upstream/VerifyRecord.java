package io.outboxcdc.upstream;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In the place of Debezium's class of this name, which needs classes that are not on Maven Central. Checks with Connect's
 * own converter what that one checks with several: that a record fits its schemas.
 */
public final class VerifyRecord {

    private VerifyRecord() {}

    public static void isValid(SourceRecord record) {
        assertFits(record.topic(), record.keySchema(), record.key());
        assertFits(record.topic(), record.valueSchema(), record.value());
    }

    public static void isValid(SourceRecord record, boolean ignoreAvro) {
        isValid(record);
    }

    public static void isValidTombstone(SourceRecord record) {
        assertThat(record.key()).isNotNull();
        assertThat(record.keySchema()).isNotNull();
        assertThat(record.value()).isNull();
        assertThat(record.valueSchema()).isNull();
    }

    public static void assertConnectSchemasAreEqual(String field, Schema actual, Schema expected) {
        assertThat(actual).as(field).isEqualTo(expected);
    }

    private static void assertFits(String topic, @Nullable Schema schema, @Nullable Object value) {
        if (value instanceof Struct struct) {
            struct.validate();
        }
        try (JsonConverter json = new JsonConverter()) {
            json.configure(Map.of("schemas.enable", true), false);
            SchemaAndValue back = json.toConnectData(topic, json.fromConnectData(topic, schema, value));
            if (schema != null && value != null) {
                assertThat(back.schema().type()).isEqualTo(schema.type());
            }
        }
    }
}
