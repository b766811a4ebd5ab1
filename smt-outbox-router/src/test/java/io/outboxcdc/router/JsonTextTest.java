package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** A dead letter holds columns of every type that Connect knows. */
class JsonTextTest {

    private static final Schema POINT = SchemaBuilder.struct()
            .field("x", Schema.FLOAT64_SCHEMA)
            .field(
                    "name",
                    SchemaBuilder.string().optional().defaultValue("none").build())
            .build();

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of(new byte[] {0, 1, (byte) 0xff}, "\"AAH/\""),
                Arguments.of(true, "true"),
                Arguments.of(Long.MIN_VALUE, "-9223372036854775808"),
                Arguments.of(1.5, "1.5"),
                Arguments.of(Double.NaN, "\"NaN\""),
                Arguments.of(Double.NEGATIVE_INFINITY, "\"-Infinity\""),
                Arguments.of(Float.POSITIVE_INFINITY, "\"Infinity\""),
                Arguments.of(new BigDecimal("1e400"), "1E+400"),
                Arguments.of(new BigDecimal("1.10"), "1.10"),
                Arguments.of(Date.from(Instant.EPOCH), "\"1970-01-01T00:00:00Z\""),
                Arguments.of(new Struct(POINT).put("x", 2.5), "{\"x\":2.5,\"name\":null}"),
                Arguments.of(Map.of("k", "v"), "{\"k\":\"v\"}"),
                Arguments.of(Arrays.asList("a", null, List.of(1), 2), "[\"a\",null,[1],2]"),
                Arguments.of(
                        List.of(new Struct(POINT).put("x", 1.0), Map.of("k", true), 3),
                        "[{\"x\":1.0,\"name\":null},{\"k\":true},3]"),
                Arguments.of("a\"\n", "\"a\\\"\\n\""));
    }

    @ParameterizedTest
    @MethodSource("values")
    void aValueIsWrittenWithAllThatItHolds(Object value, String json) {
        assertThat(JsonText.of(value)).isEqualTo(json);
    }
}
