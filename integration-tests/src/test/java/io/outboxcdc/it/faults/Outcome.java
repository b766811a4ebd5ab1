package io.outboxcdc.it.faults;

import io.outboxcdc.client.ledger.Verdict;

import java.time.Duration;
import java.util.List;

/**
 * What a trial showed.
 *
 * @param faults how often the pipeline was hurt
 * @param taskRestarts how often the task had failed and was restarted from outside
 * @param deliveredPerSecond on average, from the first to the last event
 * @param recoveries for each fault, the time until an event arrived that was committed after it began
 */
record Outcome(
        String name,
        Profile profile,
        int faults,
        int taskRestarts,
        double deliveredPerSecond,
        Verdict verdict,
        List<Duration> recoveries) {

    Outcome {
        recoveries = List.copyOf(recoveries);
    }

    /** Nothing lost, nothing out of order, no more repeats than the profile allows. */
    boolean keepsThePromise() {
        return verdict.lost() == 0
                && verdict.outOfOrder() == 0
                && verdict.deadLettered() == 0
                && verdict.phantoms() == 0
                && verdict.duplicated() <= profile.duplicatesAllowed(faults, deliveredPerSecond);
    }
}
