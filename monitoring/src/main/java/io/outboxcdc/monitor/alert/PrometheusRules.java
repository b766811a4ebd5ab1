package io.outboxcdc.monitor.alert;

import io.outboxcdc.monitor.metric.Metric;

import java.time.Duration;

/** The rules as a file for Prometheus 2.42 or newer, which knows {@code keep_firing_for}. */
public final class PrometheusRules {

    /** So long a condition has to be gone before an alert ends; the monitor's own default is the same. */
    private static final Duration KEEP_FIRING = Duration.ofMinutes(1);

    private PrometheusRules() {}

    /**
     * The whole file.
     *
     * @param runbook where the runbook is; rules link to their section
     */
    public static String file(String runbook) {
        StringBuilder yaml = new StringBuilder("""
                # Written from the rules in io.outboxcdc.monitor.alert.AlertRule; a test holds the two equal.
                groups:
                  - name: slot-monitor
                    rules:
                """);
        for (AlertRule rule : AlertRule.values()) {
            yaml.append(rule(rule, runbook));
        }
        // The one thing that the monitor cannot say itself.
        yaml.append("""
                      - alert: OutboxMonitorSilent
                        expr: absent(%1$s) or time() - %1$s > 60
                        for: 1m
                        labels:
                          severity: page
                        annotations:
                          summary: The slot monitor takes no samples
                          runbook_url: %2$s#outboxmonitorsilent
                """.formatted(Metric.LAST_SAMPLE_TIMESTAMP_SECONDS.queryName(), runbook));
        return yaml.toString();
    }

    private static String rule(AlertRule rule, String runbook) {
        String hold = rule.hold().isZero() ? "" : "        for: " + rule.hold().toSeconds() + "s\n";
        return """
                      - alert: %s
                        expr: '%s'
                %s        keep_firing_for: %ds
                        labels:
                          severity: %s
                        annotations:
                          summary: %s%s
                          runbook_url: %s#%s
                """.formatted(
                        rule.alertName(),
                        Promql.of(rule.condition()),
                        hold,
                        KEEP_FIRING.toSeconds(),
                        rule.severity().label(),
                        rule.summary(),
                        place(rule),
                        runbook,
                        rule.anchor());
    }

    private static String place(AlertRule rule) {
        StringBuilder place = new StringBuilder();
        for (String label : rule.condition().of().labels()) {
            place.append(place.isEmpty() ? " (" : ", ")
                    .append(label)
                    .append(" {{ $labels.")
                    .append(label)
                    .append(" }}");
        }
        return place.isEmpty() ? "" : place.append(')').toString();
    }
}
