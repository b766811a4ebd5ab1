package io.outboxcdc.monitor.core;

import org.junit.jupiter.api.Test;

import java.util.OptionalDouble;

import static io.outboxcdc.monitor.core.SampleBuilder.MB;
import static io.outboxcdc.monitor.core.SampleBuilder.healthy;
import static org.assertj.core.api.Assertions.assertThat;

class ForecastTest {

    private static final OptionalDouble MB_A_SECOND = OptionalDouble.of(MB);

    @Test
    void segmentsBeyondTheHeldOnesAreRoom() {
        Forecast forecast = forecast(healthy().retained(40 * MB).disk(100 * MB, 64 * MB), MB_A_SECOND);

        assertThat(forecast.diskFullSeconds()).hasValue(124);
    }

    @Test
    void whateverComesFirstIsNamed() {
        Forecast slotFirst =
                forecast(healthy().retained(64 * MB).disk(100 * MB, 64 * MB).safeWalSize(10 * MB), MB_A_SECOND);
        Forecast diskFirst =
                forecast(healthy().retained(64 * MB).disk(5 * MB, 64 * MB).safeWalSize(10 * MB), MB_A_SECOND);

        assertThat(slotFirst.first()).contains(new Forecast.Event("the slot is lost", 10));
        assertThat(diskFirst.first()).contains(new Forecast.Event("the disk of the WAL is full", 5));
    }

    @Test
    void withoutGrowthNothingIsForetold() {
        assertThat(forecast(healthy().disk(1, 1).safeWalSize(1), OptionalDouble.of(0)))
                .isEqualTo(Forecast.NONE);
        assertThat(forecast(healthy().disk(1, 1).safeWalSize(1), OptionalDouble.empty()))
                .isEqualTo(Forecast.NONE);
    }

    @Test
    void aDiskThatIsNotKnownIsNotInvented() {
        assertThat(forecast(healthy().retained(64 * MB), MB_A_SECOND)).isEqualTo(Forecast.NONE);
    }

    @Test
    void pastTheLimitTheNextCheckpointMayBeTheEnd() {
        assertThat(forecast(healthy().safeWalSize(-1), OptionalDouble.of(0)).slotLostSeconds())
                .hasValue(0);
    }

    private static Forecast forecast(SampleBuilder sample, OptionalDouble growth) {
        return Forecast.of(sample.slot(), sample.server(), growth, growth);
    }
}
