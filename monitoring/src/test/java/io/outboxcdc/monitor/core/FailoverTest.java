package io.outboxcdc.monitor.core;

import io.outboxcdc.monitor.core.ServerFacts.Standby;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class FailoverTest {

    private static final ExpectedSlot REQUIRED =
            new ExpectedSlot("shop", "outbox", "outbox", "public.outbox", Optional.empty(), true);

    @Test
    void aSlotThatIsNotMarkedSurvivesNoFailover() {
        SampleBuilder sample = SampleBuilder.healthy().standby("sb", true, true);

        assertThat(Failover.problems(REQUIRED, Optional.of(sample.slot()), sample.server()))
                .anyMatch(problem -> problem.contains("not marked for failover"));
    }

    @Test
    void everyStandbyHasToHaveACopyThatIsReady() {
        SampleBuilder sample = SampleBuilder.healthy().failover().standby("sb", true, true);
        ServerFacts server = sample.server()
                .with(List.of(
                        new Standby("one:5432", Reading.known(Set.of("outbox"))),
                        new Standby("two:5432", Reading.known(Set.of("other"))),
                        new Standby("three:5432", Reading.unknown("refused"))));

        assertThat(Failover.problems(REQUIRED, Optional.of(sample.slot()), server))
                .noneMatch(problem -> problem.contains("one:5432"))
                .anyMatch(problem -> problem.startsWith("standby two:5432 has no copy that is ready"))
                .anyMatch(problem -> problem.startsWith("standby three:5432 cannot be read: refused"));
    }

    @Test
    void whatNeedNotSurviveHasNoProblems() {
        SampleBuilder sample = SampleBuilder.healthy();
        ExpectedSlot usual = new ExpectedSlot("shop", "outbox", "outbox", "public.outbox", Optional.empty(), false);

        assertThat(Failover.problems(usual, Optional.of(sample.slot()), sample.server()))
                .isEmpty();
    }
}
