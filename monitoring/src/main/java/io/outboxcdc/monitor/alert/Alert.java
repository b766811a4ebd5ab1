package io.outboxcdc.monitor.alert;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One alert that was raised.
 *
 * @param labels what it is about
 * @param detail what was found, and what to do; without secrets
 * @param since when its condition began to hold
 * @param resolved when it ended; empty while it goes on
 */
public record Alert(
        AlertRule rule, Map<String, String> labels, String detail, Instant since, Optional<Instant> resolved) {

    /** Names the alert; the same from when it is raised until it is resolved. */
    public String key() {
        return key(rule, labels);
    }

    static String key(AlertRule rule, Map<String, String> labels) {
        return rule.alertName() + labels;
    }

    /** What is grouped into one message: everything about one database, or one Connect cluster. */
    public String group() {
        return labels.getOrDefault("database", labels.getOrDefault("cluster", ""));
    }

    /** In one line. */
    public String line() {
        String about = labels.isEmpty() ? "" : " " + labels;
        return (resolved.isPresent() ? "RESOLVED " : rule.severity().name() + " ") + rule.alertName() + about + ": "
                + rule.summary() + (detail.isEmpty() ? "." : ": " + detail);
    }
}
