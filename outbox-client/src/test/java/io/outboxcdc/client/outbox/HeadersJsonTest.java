package io.outboxcdc.client.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Map;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

class HeadersJsonTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void everyCharacterIsReadBackByAnotherLibrary() throws Exception {
        String all = IntStream.rangeClosed(1, Character.MAX_VALUE)
                .filter(c -> !Character.isSurrogate((char) c))
                .mapToObj(Character::toString)
                .collect(joining());

        JsonNode read = JSON.readTree(HeadersJson.of(Map.of("\u0001\"\\ü", all + "😀")));

        assertThat(read.path("\u0001\"\\ü").textValue()).isEqualTo(all + "😀");
    }

    @Test
    void numbersAndBooleansKeepTheirText() {
        assertThat(HeadersJson.of(Map.of("n", new BigDecimal("0.10")))).isEqualTo("{\"n\":0.10}");
        assertThat(HeadersJson.of(Map.of("n", 9_007_199_254_740_993L))).isEqualTo("{\"n\":9007199254740993}");
        assertThat(HeadersJson.of(Map.of("b", true))).isEqualTo("{\"b\":true}");
        assertThat(HeadersJson.of(Map.of("t", "true"))).isEqualTo("{\"t\":\"true\"}");
    }

    @Test
    void severalMembersAreSeparated() throws Exception {
        assertThat(JSON.readTree(HeadersJson.of(Map.of("a", 1, "b", "x", "c", false))))
                .isEqualTo(JSON.readTree("{\"a\":1,\"b\":\"x\",\"c\":false}"));
    }
}
