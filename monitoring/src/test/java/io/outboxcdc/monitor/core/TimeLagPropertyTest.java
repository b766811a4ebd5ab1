package io.outboxcdc.monitor.core;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TimeLagPropertyTest {

    private static final long WEEK = 7L * 24 * 3600 * 1000;

    @Property
    void underSteadyWritesTheLagIsExact(
            @ForAll @LongRange(min = 1, max = 1_000_000_000) long bytesPerSecond,
            @ForAll @DoubleRange(min = 0, max = 500) double behindSeconds) {
        TimeSeries heads = new TimeSeries(WEEK);
        for (int second = 0; second <= 600; second += 5) {
            heads.add(second * 1000L, second * bytesPerSecond);
        }
        long confirmed = (long) ((600 - behindSeconds) * bytesPerSecond);

        assertThat(TimeLag.of(heads, new Lsn(confirmed), 600_000).seconds())
                .isCloseTo(600 - (double) confirmed / bytesPerSecond, within(0.01));
    }

    @Property
    void aReaderThatConfirmsMoreIsNeverMoreBehind(
            @ForAll @Size(min = 2, max = 50) List<@IntRange(max = 1000) Integer> written,
            @ForAll @IntRange(max = 50_000) int one,
            @ForAll @IntRange(max = 50_000) int other) {
        TimeSeries heads = new TimeSeries(WEEK);
        long position = 0;
        for (int i = 0; i < written.size(); i++) {
            position += written.get(i);
            heads.add(i * 5000L, position);
        }
        long now = written.size() * 5000L;

        assertThat(TimeLag.of(heads, new Lsn(Math.max(one, other)), now).seconds())
                .isLessThanOrEqualTo(
                        TimeLag.of(heads, new Lsn(Math.min(one, other)), now).seconds());
    }

    @Property
    void aReaderAtTheHeadHasNoLagHoweverLongNothingIsWritten(@ForAll @LongRange(max = 1L << 50) long position) {
        TimeSeries heads = new TimeSeries(WEEK);
        heads.add(0, position);
        heads.add(86_400_000, position);

        assertThat(TimeLag.of(heads, new Lsn(position), 90_000_000)).isEqualTo(new TimeLag(0, false));
    }

    @Property
    void whatIsOlderThanTheLineIsSaidToBeAtLeastThat(@ForAll @LongRange(min = 1, max = 100) long missing) {
        TimeSeries heads = new TimeSeries(WEEK);
        heads.add(0, 1000);
        heads.add(10_000, 2000);

        assertThat(TimeLag.of(heads, new Lsn(1000 - missing), 20_000)).isEqualTo(new TimeLag(20, true));
    }
}
