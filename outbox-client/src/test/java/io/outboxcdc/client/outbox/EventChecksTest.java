package io.outboxcdc.client.outbox;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What would break: a mistake that only shows in the dead-letter topic, far from who made it. */
class EventChecksTest {

    private static final OutboxEvent GOOD = OutboxEvent.of("order", "42").withPayloadText("{}");

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("", "makes no topic name", GOOD.aggregateId()),
                Arguments.of(".", "makes no topic name", "42"),
                Arguments.of("..", "makes no topic name", "42"),
                Arguments.of("Order Item", "makes no topic name", "42"),
                Arguments.of("a/b", "makes no topic name", "42"),
                Arguments.of("Größe", "makes no topic name", "42"),
                Arguments.of("x\ny", "makes no topic name", "42"),
                Arguments.of("x".repeat(237), "has 237 characters", "42"),
                Arguments.of("order", "the aggregate id is blank", ""),
                Arguments.of("order", "the aggregate id is blank", " \t\n"),
                Arguments.of("order", "U+0000", "4\u00002"),
                Arguments.of("order", "half of a surrogate pair", "4\ud83d"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatTheRouterWouldDeadLetterIsRefused(String type, String problem, String id) {
        assertProblem(OutboxEvent.of(type, id).withPayloadText("{}"), problem);
    }

    @Test
    void legalTypesAndIdsAreTaken() {
        List.of("a.B-c_9", "...", "x".repeat(236))
                .forEach(type -> assertThat(rows(OutboxEvent.of(type, " 7 "))).hasSize(1));
    }

    static Stream<Arguments> refusedHeaders() {
        return Stream.of(
                Arguments.of("", "x", "has no name"),
                Arguments.of("ID", "x", "reserved"),
                Arguments.of("eventType", "x", "reserved"),
                Arguments.of("Outbox.x", "x", "reserved"),
                Arguments.of("__debezium.x", "x", "reserved"),
                Arguments.of("list", List.of(1), "accepted are text, finite numbers and booleans"),
                Arguments.of("n", Double.NaN, "finite"),
                Arguments.of("n", Float.POSITIVE_INFINITY, "finite"),
                Arguments.of("t", "a\u0000", "U+0000"),
                Arguments.of("a\udc00", "x", "half of a surrogate pair"));
    }

    @ParameterizedTest
    @MethodSource("refusedHeaders")
    void headersThatWouldNotArriveAreRefused(String name, Object value, String problem) {
        assertProblem(GOOD.withHeader(name, value), problem);
    }

    @Test
    void aHugeDecimalIsANumberToo() {
        assertThat(rows(GOOD.withHeader("n", new BigDecimal("1e400")))).hasSize(1);
    }

    @Test
    void anEventThatMakesTooLargeARecordIsRefused() {
        String text = "\"" + "x".repeat(999_900) + "\"";

        assertThat(rows(GOOD.withPayloadText(text))).hasSize(1);
        assertProblem(
                GOOD.withPayloadText(text).withHeader("h", "y".repeat(200)),
                "about 1000163 bytes and a record may have 1000000");
        assertProblem(GOOD.withPayloadBytes(new byte[1_000_000]), "store what is large elsewhere");
    }

    @Test
    void allProblemsOfAllEventsComeAtOnceAndNoPayloadAmongThem() {
        OutboxEvent bad = OutboxEvent.of("no topic", " ")
                .withPayloadText("secret\u0000")
                .withEventType(" ")
                .withHeader("id", "secret");

        assertThatThrownBy(() -> rows(GOOD, bad))
                .isInstanceOfSatisfying(
                        InvalidEventException.class,
                        e -> assertThat(e.problems())
                                .hasSize(5)
                                .allMatch(problem -> problem.startsWith("Event 2 of aggregate no topic ' ': ")))
                .hasMessageNotContaining("secret");
        assertThat(bad.toString()).doesNotContain("secret");
    }

    @Test
    void anObjectThatIsNoJsonIsRefusedByItsClass() {
        JsonWriter broken = object -> {
            throw new java.io.IOException("secret");
        };

        assertThatThrownBy(() -> new EventRows(UUID::randomUUID, TraceContext.NONE, broken, new EventChecks(1_000))
                        .of(List.of(GOOD.withPayload(List.of(1)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("could not be written as JSON")
                .hasMessageNotContaining("secret");
    }

    private static void assertProblem(OutboxEvent event, String problem) {
        assertThatThrownBy(() -> rows(event))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining(problem);
    }

    private static List<OutboxRow> rows(OutboxEvent... events) {
        return new EventRows(UUID::randomUUID, TraceContext.NONE, Object::toString, new EventChecks(1_000_000))
                .of(List.of(events));
    }
}
