package io.outboxcdc.router;

import io.debezium.data.Json;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The wire form of keys and values. */
class OutboxConverterTest {

    private final OutboxConverter converter = new OutboxConverter();

    @BeforeEach
    void configure() {
        converter.configure(Map.of("schemas.enable", "true"), false);
    }

    @Test
    void textIsItsUtf8() {
        assertThat(converter.fromConnectData("t", Json.schema(), "{\"t\": \"😀\"}"))
                .isEqualTo("{\"t\": \"😀\"}".getBytes(UTF_8));
        assertThat(converter.fromConnectData("t", null, "ü")).isEqualTo("ü".getBytes(UTF_8));
        assertThat(converter.fromConnectData("t", Schema.STRING_SCHEMA, "")).isEmpty();
    }

    @Test
    void bytesAreThemselvesWithinPositionAndLimit() {
        byte[] bytes = {0, 1, (byte) 0xff};
        ByteBuffer slice = ByteBuffer.wrap(new byte[] {9, 0, 1, (byte) 0xff, 9}, 1, 3);

        assertThat(converter.fromConnectData("t", Schema.BYTES_SCHEMA, bytes)).isEqualTo(bytes);
        assertThat(converter.fromConnectData("t", Schema.BYTES_SCHEMA, slice)).isEqualTo(bytes);
        assertThat(converter.fromConnectData("t", Schema.BYTES_SCHEMA, slice.asReadOnlyBuffer()))
                .isEqualTo(bytes);
        assertThat(slice.remaining()).isEqualTo(3);
    }

    @Test
    void nothingIsATombstone() {
        assertThat(converter.fromConnectData("t", Schema.OPTIONAL_STRING_SCHEMA, null))
                .isNull();
        assertThat(converter.fromConnectData("t", null, null)).isNull();
    }

    @Test
    void aHeartbeatIsJsonWithoutSchema() {
        Schema heartbeat = SchemaBuilder.struct()
                .name("io.debezium.connector.common.Heartbeat")
                .field("ts_ms", Schema.INT64_SCHEMA)
                .build();

        assertThat(converter.fromConnectData("t", heartbeat, new Struct(heartbeat).put("ts_ms", 5L)))
                .isEqualTo("{\"ts_ms\":5}".getBytes(UTF_8));
    }

    @Test
    void numbersAndLogicalBytesAreJsonToo() {
        assertThat(converter.fromConnectData("t", Schema.INT64_SCHEMA, 42L)).isEqualTo("42".getBytes(UTF_8));
        assertThat(converter.fromConnectData("t", Decimal.schema(1), new BigDecimal("1.5")))
                .isEqualTo("\"Dw==\"".getBytes(UTF_8));
    }

    @Test
    void readingGivesTextWhereItIsTextAndBytesElsewhere() {
        byte[] noText = {(byte) 0xff, 0};

        assertThat(converter.toConnectData("t", "é".getBytes(UTF_8)).value()).isEqualTo("é");
        assertThat(converter.toConnectData("t", noText).value()).isEqualTo(noText);
        assertThat(converter.toConnectData("t", noText).schema().type()).isEqualTo(Schema.Type.BYTES);
        assertThat(converter.toConnectData("t", null).value()).isNull();
    }

    @Test
    void theVersionIsTheBuilds() {
        assertThat(converter.version()).matches("\\d+\\.\\d+\\.\\d+(-.+)?");
        assertThat(RouterVersion.VALUE).isEqualTo(converter.version());
        assertThat(new OutboxRouter<SourceRecord>().version()).isEqualTo(converter.version());
    }
}
