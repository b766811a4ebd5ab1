package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** What a record takes, before it is written. */
class RecordSizeTest {

    private static final Schema ROW = SchemaBuilder.struct()
            .field(
                    "name",
                    SchemaBuilder.string().optional().defaultValue("default").build())
            .field("n", Schema.INT64_SCHEMA)
            .build();

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of(null, 0),
                Arguments.of("ü€😀", 9),
                Arguments.of(new byte[5], 5),
                Arguments.of(ByteBuffer.wrap(new byte[9], 2, 4), 4),
                Arguments.of(7, 8),
                Arguments.of(true, 8),
                Arguments.of(new BigDecimal("12345678901234567890.10"), 23),
                Arguments.of(BigInteger.TEN.pow(30), 31),
                Arguments.of(Arrays.asList("ab", null, "c"), 3),
                Arguments.of(Map.of("key", "value"), 8),
                Arguments.of(new Struct(ROW).put("name", "abc").put("n", 1L), 4 + 3 + 1 + 8),
                Arguments.of(new Struct(ROW).put("n", 1L), 4 + 1 + 8));
    }

    @ParameterizedTest
    @MethodSource("values")
    void textAndBytesAreCountedExactly(@Nullable Object value, long size) {
        assertThat(RecordSize.of(value)).isEqualTo(size);
    }

    @ParameterizedTest
    @MethodSource("values")
    void theQuickBoundIsNeverLess(@Nullable Object value, long size) {
        assertThat(RecordSize.atMost(value)).isGreaterThanOrEqualTo(size);
    }

    @Test
    void aHeaderCountsItsNameItsValueAndTheirLengths() {
        ConnectHeaders headers = new ConnectHeaders();
        headers.addString("größe", "xyz").addString("b", "");

        assertThat(RecordSize.of(headers)).isEqualTo(7 + 3 + 10 + 1 + 10);
        assertThat(RecordSize.atMost(headers)).isGreaterThanOrEqualTo(7 + 3 + 10 + 1 + 10);
    }
}
