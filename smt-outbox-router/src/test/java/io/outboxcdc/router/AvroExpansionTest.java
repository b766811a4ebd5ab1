package io.outboxcdc.router;

import io.apicurio.registry.serde.avro.NonRecordContainer;
import io.apicurio.registry.utils.converter.avro.AvroData;
import io.apicurio.registry.utils.converter.avro.AvroDataConfig;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;

import static io.outboxcdc.router.OutboxRow.aRow;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** An expanded document goes through Avro's binary form, as an Avro converter writes it, and comes back as it was. */
class AvroExpansionTest {

    private final RouterUnderTest router =
            RouterUnderTest.asShipped("table.expand.json.payload", "true", "field.name.adjustment.mode", "avro");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": 1, \"b\": {\"c\": \"ü\", \"d\": [true, false]}, \"e\": 1.5}",
                "[{\"a\": 1}, {\"a\": 3000000000}]",
                "[[], [1, null]]",
                "[]",
                "{}",
                "7",
                "\"text\"",
                "{\"nick\": null, \"tags\": [], \"opts\": {}, \"deep\": {\"x\": null}, \"deeper\": [{\"x\": [{}]}]}",
                "{\"price\": 1.10, \"all\": [19.99, 20.00, 5], \"large\": 12345678901234567890, \"tiny\": 1e-400}",
                "{\"order-id\": 7, \"a.b\": {\"$ref\": \"x\"}, \"größe\": [{\"1st\": 4}]}"
            })
    void anAvroConverterWritesWhatTheDocumentHolds(String payload) throws IOException {
        SourceRecord event = router.route(aRow().with("payload", payload));
        AvroData avro = new AvroData(new AvroDataConfig(Map.of()));
        org.apache.avro.Schema schema = avro.fromConnectSchema(event.valueSchema());

        byte[] bytes = written(schema, avro.fromConnectData(event.valueSchema(), event.value()));
        Object read =
                new GenericDatumReader<>(schema).read(null, DecoderFactory.get().binaryDecoder(bytes, null));
        SchemaAndValue back = avro.toConnectData(schema, read);

        assertThat(event.topic()).isEqualTo("outbox.event.Order");
        assertThat(json(back.schema(), back.value())).isEqualTo(json(event.valueSchema(), event.value()));
    }

    private static byte[] written(org.apache.avro.Schema schema, Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        // What is no record comes in a box, which the serializer takes off.
        Object content = value instanceof NonRecordContainer<?> box ? box.getValue() : value;
        new GenericDatumWriter<>(schema).write(content, encoder);
        encoder.flush();
        return bytes.toByteArray();
    }

    private static String json(Schema schema, Object value) {
        try (JsonConverter converter = new JsonConverter()) {
            converter.configure(Map.of("schemas.enable", false, "decimal.format", "NUMERIC"), false);
            return new String(converter.fromConnectData("t", schema, value), UTF_8);
        }
    }
}
