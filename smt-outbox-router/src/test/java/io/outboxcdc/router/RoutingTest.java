package io.outboxcdc.router;

import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;
import java.util.regex.Pattern;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** From aggregate type to topic, and rows for which there is none. */
class RoutingTest {

    @ParameterizedTest
    @ValueSource(strings = {"Order Item", "a/b", "Bestellung-Ärger", "..", ".", "Order\u0000", "٣"})
    void aTypeThatMakesNoLegalTopicIsADeadLetter(String type) {
        SourceRecord letter =
                RouterUnderTest.asShipped().refuse(aRow().with("aggregate_type", type), DeadLetterReason.TOPIC_ILLEGAL);

        assertThat(RouterUnderTest.json(letter).get("aggregate_type").textValue())
                .isEqualTo(type);
        assertThat(RouterUnderTest.header(letter, HeaderNames.ERROR_COLUMN)).isEqualTo("aggregate_type");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "   ", "\t"})
    void aMissingTypeIsADeadLetter(@Nullable String type) {
        RouterUnderTest.asShipped().refuse(aRow().with("aggregate_type", type), DeadLetterReason.TYPE_MISSING);
    }

    /** The dot of the default expression matches no line break. */
    @Test
    void aTypeThatDoesNotMatchTheExpressionIsADeadLetter() {
        RouterUnderTest.asShipped().refuse(aRow().with("aggregate_type", "x\ny"), DeadLetterReason.TYPE_NOT_MATCHED);
    }

    @Test
    void theWholeTopicMayHave249Characters() {
        RouterUnderTest router = RouterUnderTest.asShipped();
        String longest = "x".repeat(249 - "outbox.event.".length());

        assertThat(router.route(aRow().with("aggregate_type", longest)).topic()).hasSize(249);
        router.refuse(aRow().with("aggregate_type", longest + "x"), DeadLetterReason.TOPIC_ILLEGAL);
        router.refuse(aRow().with("aggregate_type", "x".repeat(100_000)), DeadLetterReason.TOPIC_ILLEGAL);
    }

    /** Kafka refuses to make the second topic, and the task would fail. */
    @Test
    void aTypeWhoseTopicCollidesWithOneInUseIsADeadLetter() {
        RouterUnderTest router = RouterUnderTest.asShipped();

        assertThat(router.route(aRow().with("aggregate_type", "c.x")).topic()).isEqualTo("outbox.event.c.x");

        router.refuse(aRow().with("aggregate_type", "c_x"), DeadLetterReason.TOPIC_COLLIDES);
        assertThat(router.route(aRow().with("aggregate_type", "c.x")).topic()).isEqualTo("outbox.event.c.x");
    }

    @Test
    void severalTypesMayShareATopic() {
        RouterUnderTest router = RouterUnderTest.asShipped(
                "route.topic.regex", "([A-Z][a-z]+)(Event)?", "route.topic.replacement", "$1");

        assertThat(router.route(aRow().with("aggregate_type", "Order")).topic()).isEqualTo("Order");
        assertThat(router.route(aRow().with("aggregate_type", "OrderEvent")).topic())
                .isEqualTo("Order");
    }

    @Test
    void aTypeOutsideTheAllowListIsADeadLetter() {
        RouterUnderTest router = RouterUnderTest.asShipped("route.topic.allow.list", "Order, Invoice");

        assertThat(router.route(aRow()).topic()).isEqualTo("outbox.event.Order");
        assertThat(router.route(aRow().with("aggregate_type", "Invoice")).topic())
                .isEqualTo("outbox.event.Invoice");
        router.refuse(aRow().with("aggregate_type", "order"), DeadLetterReason.TYPE_NOT_ALLOWED);
    }

    @Test
    void noEventGoesToTheDeadLetterTopic() {
        RouterUnderTest router = RouterUnderTest.asShipped("route.topic.replacement", "${routedByValue}");

        router.refuse(aRow().with("aggregate_type", "outbox.dead-letter"), DeadLetterReason.TOPIC_RESERVED);
    }

    @Test
    void expressionAndReplacementAreTheUsers() {
        RouterUnderTest router = RouterUnderTest.asShipped(
                "route.topic.regex", "(.*)\\.(.*)", "route.topic.replacement", "$2.events.$1");

        SourceRecord event = router.route(aRow().with("aggregate_type", "sales.Order"));

        assertThat(event.topic()).isEqualTo("Order.events.sales");
        router.refuse(aRow().with("aggregate_type", "Order"), DeadLetterReason.TYPE_NOT_MATCHED);
    }

    @Test
    void aFailingTaskNamesRowColumnAndRemedy() {
        RouterUnderTest router = RouterUnderTest.asShipped("on.invalid.event", "fail");
        OutboxRow row = aRow().with("aggregate_type", "a/b").with("payload", "{\"secret\": 1}");

        assertThat(catchThrowable(() -> router.apply(row)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("TOPIC_ILLEGAL")
                .hasMessageContaining(OutboxRow.ID)
                .hasMessageContaining("public.outbox")
                .hasMessageContaining("column aggregate_type")
                .hasMessageNotContaining("secret");
    }

    @Test
    void routesAreRememberedWithinABound() {
        Topics topics = new Topics(Pattern.compile("(.*)"), "$1", Set.of(), "dead");

        for (int i = 0; i < 10_000; i++) {
            topics.of("type" + i);
        }

        assertThat(topics.remembered()).isBetween(1, 1_000);
    }
}
