package io.outboxcdc.relay.core;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class DecisionsTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final AggregateKey ONE = new AggregateKey("order", "1");

    @Test
    void sharesAddUpAndDifferByOneAtMost() {
        for (int shards = 1; shards <= 64; shards++) {
            for (int instances = 1; instances <= 10; instances++) {
                List<String> names = java.util.stream.IntStream.range(0, instances)
                        .mapToObj(i -> "i" + i)
                        .toList();
                int all = shards;
                List<Integer> shares = names.stream()
                        .map(name -> FairShare.of(all, names, name))
                        .toList();
                assertThat(shares.stream().mapToInt(share -> share).sum()).isEqualTo(shards);
                assertThat(shares).allMatch(share -> share == all / names.size() || share == all / names.size() + 1);
            }
        }
    }

    @Test
    void anInstanceThatIsNotListedYetCountsItself() {
        assertThat(FairShare.of(4, List.of("a"), "b")).isEqualTo(2);
    }

    @Test
    void aBlockedAggregateWaitsLongerEachTimeUpToTheLongest() {
        BlockedAggregates blocked = new BlockedAggregates(new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60)));

        blocked.block(ONE, 1, NOW);
        assertThat(blocked.at(NOW)).containsExactly(ONE);
        assertThat(blocked.at(NOW.plusSeconds(1))).isEmpty();

        blocked.block(ONE, 4, NOW);
        assertThat(blocked.at(NOW.plusMillis(7_999))).containsExactly(ONE);
        assertThat(blocked.at(NOW.plusSeconds(8))).isEmpty();

        blocked.block(ONE, Integer.MAX_VALUE, NOW);
        assertThat(blocked.at(NOW.plusSeconds(59))).containsExactly(ONE);
        assertThat(blocked.at(NOW.plusSeconds(60))).isEmpty();
    }

    @Test
    void pausesGrowWhileThereIsNothingAndAreShortAgainThen() {
        Pace pace = new Pace(Duration.ofMillis(5), Duration.ofMillis(15));

        assertThat(List.of(pace.idle(), pace.idle(), pace.idle(), pace.idle()))
                .containsExactly(
                        Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(15), Duration.ofMillis(15));
        pace.busy();
        assertThat(pace.idle()).isEqualTo(Duration.ofMillis(5));
    }
}
