package io.outboxcdc.monitor.metric;

import java.util.Map;

/**
 * What the monitor did since it was started.
 *
 * @param actions how often, by action and outcome
 * @param restarts by cluster and connector, joined by a slash
 * @param restartsRecently in the last 15 minutes, likewise
 */
public record ActionCounts(Map<Outcome, Long> actions, Map<String, Long> restarts, Map<String, Long> restartsRecently) {

    /** An action and how it went. */
    public record Outcome(String action, String result) {}
}
