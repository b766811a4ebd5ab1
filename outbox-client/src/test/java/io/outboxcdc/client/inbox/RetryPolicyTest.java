package io.outboxcdc.client.inbox;

import org.junit.jupiter.api.Test;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RetryPolicyTest {

    private static final RetryPolicy FOREVER =
            RetryPolicy.forever().withDelays(Duration.ofMillis(100), Duration.ofSeconds(10));

    @Test
    void delaysDoubleUpToTheLongestAndAQuarterMoreAtRandom() {
        for (int round = 0; round < 100; round++) {
            assertThat(FOREVER.delayMillis(0)).isZero();
            assertThat(FOREVER.delayMillis(1)).isBetween(100L, 125L);
            assertThat(FOREVER.delayMillis(2)).isBetween(200L, 250L);
            assertThat(FOREVER.delayMillis(8)).isBetween(10_000L, 12_500L);
            assertThat(FOREVER.delayMillis(Integer.MAX_VALUE)).isBetween(10_000L, 12_500L);
        }
    }

    @Test
    void withoutAnEndNothingIsEverGivenUp() {
        assertThat(FOREVER.parks(1_000_000)).isFalse();
        assertThat(FOREVER.gives(1_000_000)).isFalse();
    }

    @Test
    void atTheEndAMessageIsParkedOrGivenUpNeverBoth() {
        RetryPolicy parks = FOREVER.parkAfter(3);
        RetryPolicy gives = FOREVER.deadLetterAfter(3, "dead");

        assertThat(parks.parks(2)).isFalse();
        assertThat(parks.parks(3)).isTrue();
        assertThat(parks.gives(3)).isFalse();
        assertThat(gives.gives(2)).isFalse();
        assertThat(gives.gives(3)).isTrue();
        assertThat(gives.parks(3)).isFalse();
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> FOREVER.withDelays(Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessageContaining("The first must be a millisecond or more");
        assertThatThrownBy(() -> FOREVER.withDelays(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("not shorter");
        assertThatThrownBy(() -> FOREVER.parkAfter(0)).hasMessageContaining("one at least");
    }
}
