package io.outboxcdc.it.payload;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/** The compatibility test of {@code docs/how-to/evolve-payloads.md}, as a writer's build would hold it. */
class OrderPlacedCompatibilityTest {

    /** The newest version; what older ones do not have may be null. */
    record OrderPlaced(
            String orderId, BigDecimal total, @Nullable String currency) {}

    /** The reader as it was when version 1 was the newest: members that it does not know are no fault. */
    record OrderPlaced1(String orderId, BigDecimal total) {}

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void everyVersionThatWasEverPublishedCanBeRead(int version) throws IOException {
        ObjectMapper lenient = JSON.copy().disable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

        OrderPlaced event = lenient.readValue(sample(version), OrderPlaced.class);

        assertThat(event.orderId()).isEqualTo("42");
        assertThat(event.total()).isEqualTo("12.50");
    }

    @Test
    void theNewestVersionCanBeReadByTheOldReader() throws IOException {
        assertThat(JSON.readValue(sample(2), OrderPlaced1.class))
                .isEqualTo(JSON.readValue(sample(1), OrderPlaced1.class));
    }

    @Test
    void theWriterWritesTheNewestSample() throws IOException {
        OrderPlaced event = new OrderPlaced("42", new BigDecimal("12.50"), "EUR");

        JsonNode written = JSON.valueToTree(event);
        assertThat(written).isEqualTo(JSON.readTree(sample(2)));
    }

    private static InputStream sample(int version) {
        String name = "/payloads/order-placed/" + version + ".json";
        return Objects.requireNonNull(OrderPlacedCompatibilityTest.class.getResourceAsStream(name), name);
    }
}
