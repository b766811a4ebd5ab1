package io.outboxcdc.monitor.act;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When a failed connector is started again: after 5 s, then 30 s, 2, 5 and 15 minutes. After half an hour in health the
 * count begins anew. Immutable.
 *
 * @param tries restarts since the connector was last healthy for long
 * @param failedSince when the present failure was first seen
 * @param healthySince since when it has been healthy
 * @param recent the times of restarts, the last 15 minutes of them
 */
public record RestartPlan(
        int tries, Optional<Instant> failedSince, Optional<Instant> healthySince, List<Instant> recent) {

    /** No restart yet. */
    public static final RestartPlan NONE = new RestartPlan(0, Optional.empty(), Optional.empty(), List.of());

    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15));
    private static final Duration HEALTHY_FOR_GOOD = Duration.ofMinutes(30);
    private static final Duration RECENTLY = Duration.ofMinutes(15);

    /** The plan after the connector was seen healthy. */
    RestartPlan healthy(Instant now) {
        Instant since = healthySince.orElse(now);
        boolean forGood = Duration.between(since, now).compareTo(HEALTHY_FOR_GOOD) >= 0;
        return new RestartPlan(forGood ? 0 : tries, Optional.empty(), Optional.of(since), recentAt(now));
    }

    /** The plan after the connector was seen failed. */
    RestartPlan failed(Instant now) {
        return new RestartPlan(tries, Optional.of(failedSince.orElse(now)), Optional.empty(), recentAt(now));
    }

    /** Whether it is time for a restart. */
    boolean isDue(Instant now) {
        Duration pause = PAUSES.get(Math.min(tries, PAUSES.size() - 1));
        return failedSince.isPresent()
                && Duration.between(failedSince.get(), now).compareTo(pause) >= 0;
    }

    /** The plan after a restart was asked for. */
    RestartPlan restarted(Instant now) {
        List<Instant> all = new ArrayList<>(recentAt(now));
        all.add(now);
        return new RestartPlan(tries + 1, Optional.empty(), Optional.empty(), all);
    }

    /** The restarts of the last 15 minutes. */
    List<Instant> recentAt(Instant now) {
        return recent.stream()
                .filter(time -> Duration.between(time, now).compareTo(RECENTLY) < 0)
                .toList();
    }
}
