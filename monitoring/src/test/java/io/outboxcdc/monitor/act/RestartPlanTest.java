package io.outboxcdc.monitor.act;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** When a failed connector is started again. The deeds themselves are tested on a real worker. */
class RestartPlanTest {

    private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void thePausesGrow() {
        List<Long> restarts = new ArrayList<>();
        RestartPlan plan = RestartPlan.NONE;
        for (long second = 0; second < 3600; second++) {
            Instant now = BEGIN.plusSeconds(second);
            plan = plan.failed(now);
            if (plan.isDue(now)) {
                plan = plan.restarted(now);
                restarts.add(second);
            }
        }

        assertThat(restarts).startsWith(5L, 36L, 157L, 458L, 1359L, 2260L);
    }

    @Test
    void halfAnHourInHealthBeginsAnew() {
        RestartPlan tried = RestartPlan.NONE.restarted(BEGIN).restarted(BEGIN.plusSeconds(30));

        RestartPlan soon = tried.healthy(BEGIN.plusSeconds(60)).healthy(BEGIN.plusSeconds(60 + 1799));
        RestartPlan later = soon.healthy(BEGIN.plusSeconds(60 + 1800));

        assertThat(soon.tries()).isEqualTo(2);
        assertThat(later.tries()).isZero();
    }

    @Test
    void healthThatIsBrokenOffDoesNotCount() {
        RestartPlan tried = RestartPlan.NONE.restarted(BEGIN);

        RestartPlan broken = tried.healthy(BEGIN.plusSeconds(60))
                .failed(BEGIN.plusSeconds(1000))
                .healthy(BEGIN.plusSeconds(1860));

        assertThat(broken.tries()).isEqualTo(1);
    }

    @Test
    void restartsOfTheLastQuarterOfAnHourAreCounted() {
        RestartPlan tried = RestartPlan.NONE.restarted(BEGIN).restarted(BEGIN.plusSeconds(600));

        assertThat(tried.recentAt(BEGIN.plusSeconds(601))).hasSize(2);
        assertThat(tried.recentAt(BEGIN.plusSeconds(900))).hasSize(1);
    }
}
