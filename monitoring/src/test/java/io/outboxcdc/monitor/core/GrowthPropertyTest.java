package io.outboxcdc.monitor.core;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

import static io.outboxcdc.monitor.core.SampleBuilder.MB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class GrowthPropertyTest {

    private static final long INTERVAL = 5000;

    @Property
    void steadyGrowthIsMeasuredExactly(@ForAll @LongRange(min = 1, max = 1_000_000_000) long rate) {
        TimeSeries held = new TimeSeries(Long.MAX_VALUE / 2);
        for (int second = 0; second <= 300; second += 5) {
            held.add(second * 1000L, second * rate);
        }

        assertThat(Growth.bytesPerSecond(held, INTERVAL)).hasValueCloseTo((double) rate, within(rate * 0.001));
    }

    /** A slot's held WAL under load: it grows for a while, and falls when the reader's confirmation frees it. */
    @Property
    void aSawThatComesDownAgainAndAgainDoesNotGrow(
            @ForAll @IntRange(min = 1, max = 6) int samplesPerTooth,
            @ForAll @LongRange(min = 1, max = 1000) long megabytesPerSample) {
        TimeSeries held = new TimeSeries(Long.MAX_VALUE / 2);
        for (int sample = 0; sample < 800; sample++) {
            held.add(sample * INTERVAL, (sample % samplesPerTooth) * megabytesPerSample * MB);
        }

        assertThat(Growth.bytesPerSecond(held, INTERVAL)).hasValue(0);
    }

    @Property
    void growthThatBeganAMinuteAgoIsSeenAsFastAsItIs(@ForAll @LongRange(min = 1, max = 1_000_000_000) long rate) {
        TimeSeries held = new TimeSeries(Long.MAX_VALUE / 2);
        for (int second = 0; second <= 3600; second += 5) {
            held.add(second * 1000L, Math.max(0, second - 3540) * rate);
        }

        assertThat(Growth.bytesPerSecond(held, INTERVAL)).hasValueCloseTo((double) rate, within(rate * 0.001));
    }

    @Example
    void tooFewSamplesSayNothing() {
        TimeSeries held = new TimeSeries(Long.MAX_VALUE / 2);
        held.add(0, 0);
        held.add(5000, 1);

        assertThat(Growth.bytesPerSecond(held, INTERVAL)).isEmpty();
    }

    /** Seven days of samples are kept in some ten thousand points. */
    @Example
    void whatIsKeptIsBounded() {
        TimeSeries held = new TimeSeries(7L * 24 * 3600 * 1000);
        for (long millis = 0; millis < 8L * 24 * 3600 * 1000; millis += INTERVAL) {
            held.add(millis, millis);
        }

        assertThat(held.points()).hasSizeBetween(10_000, 11_000);
    }
}
