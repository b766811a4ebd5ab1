package io.outboxcdc.monitor.alert;

import io.outboxcdc.monitor.metric.Measurement;
import io.outboxcdc.monitor.metric.Metric;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class AlertEngineTest {

    private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");
    private static final AlertEngine.Settings SETTINGS =
            new AlertEngine.Settings(Duration.ofSeconds(60), Map.of(), Set.of());

    private final AlertEngine engine = new AlertEngine(SETTINGS);

    @Test
    void aConditionHasToHoldForItsTime() {
        assertThat(at(0, lag(100))).isEmpty();
        assertThat(at(299, lag(100))).isEmpty();
        assertThat(at(300, lag(100))).singleElement().satisfies(alert -> {
            assertThat(alert.rule()).isEqualTo(AlertRule.LAG_HIGH);
            assertThat(alert.since()).isEqualTo(BEGIN);
            assertThat(alert.labels()).isEqualTo(Map.of("database", "shop", "slot", "outbox"));
        });
    }

    @Test
    void aConditionThatIsGoneInBetweenBeginsAnew() {
        at(0, lag(100));
        at(200, lag(10));

        assertThat(at(300, lag(100))).isEmpty();
    }

    @Test
    void aValueThatSwaysAroundItsBoundIsOneAlert() {
        at(0, lag(100));
        at(300, lag(100));

        assertThat(at(310, lag(59)).get(0).resolved()).isEmpty();
        assertThat(at(340, lag(61)).get(0).resolved()).isEmpty();
        assertThat(at(350, lag(59)).get(0).resolved()).isEmpty();
        assertThat(at(409, lag(59)).get(0).resolved()).isEmpty();
        assertThat(at(410, lag(59)))
                .singleElement()
                .satisfies(alert -> assertThat(alert.resolved()).contains(BEGIN.plusSeconds(410)));
        assertThat(at(415, lag(59))).isEmpty();
    }

    @Test
    void itGoesOnAfterARestart() {
        at(0, lag(100));
        AlertEngine next = new AlertEngine(SETTINGS);
        next.restore(engine.save());

        assertThat(next.evaluate(BEGIN.plusSeconds(300), lag(100), labels -> ""))
                .hasSize(1);
    }

    @Test
    void aRuleThatIsSwitchedOffIsNotRaised() {
        AlertEngine quiet = new AlertEngine(new AlertEngine.Settings(
                Duration.ZERO, Map.of("OutboxLagHigh", Duration.ZERO), Set.of("OutboxLagHigh")));

        assertThat(quiet.evaluate(BEGIN, lag(100), labels -> "")).isEmpty();
    }

    @Test
    void partsAboutTheDatabaseGoWithThoseAboutItsSlot() {
        List<Measurement> held = List.of(
                slot(Metric.HELD_BEFORE_CONFIRM_BYTES, 2e9),
                new Measurement(Metric.OLDEST_WRITER_AGE_SECONDS, List.of("other"), 10_000),
                new Measurement(Metric.OLDEST_PREPARED_AGE_SECONDS, List.of("shop"), 0),
                new Measurement(Metric.OLDEST_WRITER_AGE_SECONDS, List.of("shop"), 0));
        assertThat(at(0, held)).isEmpty();

        List<Measurement> blamed = List.of(
                slot(Metric.HELD_BEFORE_CONFIRM_BYTES, 2e9),
                new Measurement(Metric.OLDEST_PREPARED_AGE_SECONDS, List.of("shop"), 301));
        assertThat(at(5, blamed)).extracting(Alert::rule).containsExactly(AlertRule.HELD_BY_TRANSACTION);
    }

    private List<Alert> at(long second, List<Measurement> measurements) {
        return engine.evaluate(BEGIN.plusSeconds(second), measurements, labels -> "found");
    }

    private static List<Measurement> lag(double seconds) {
        return List.of(slot(Metric.LAG_SECONDS, seconds));
    }

    private static Measurement slot(Metric metric, double value) {
        return new Measurement(metric, List.of("shop", "outbox"), value);
    }
}
