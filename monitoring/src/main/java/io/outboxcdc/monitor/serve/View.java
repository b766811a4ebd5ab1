package io.outboxcdc.monitor.serve;

import io.outboxcdc.monitor.alert.Alert;
import io.outboxcdc.monitor.metric.Measurement;
import io.outboxcdc.monitor.sample.Snapshot;

import java.util.List;
import java.util.Map;

/**
 * What is shown: the last sample and what followed from it. Immutable.
 *
 * @param histories by the slot's key
 */
public record View(
        Snapshot snapshot,
        List<Measurement> measurements,
        List<Alert> alerts,
        Map<String, Histories.Line> histories,
        Readiness readiness) {

    /** Before the first sample. */
    public static final View NONE = new View(Snapshot.NONE, List.of(), List.of(), Map.of(), Readiness.NONE);

    /** The view after another sample. */
    public View after(
            Snapshot next, List<Measurement> measured, List<Alert> raised, Map<String, Histories.Line> lines) {
        return new View(next, measured, raised, lines, readiness.next(next));
    }
}
