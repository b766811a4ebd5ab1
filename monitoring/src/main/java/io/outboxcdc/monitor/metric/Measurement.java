package io.outboxcdc.monitor.metric;

import java.util.List;

/**
 * A value of a metric.
 *
 * @param labels values in the order of {@link Metric.Of#labels()}
 */
public record Measurement(Metric metric, List<String> labels, double value) {

    /** The value of a label; empty text when the metric has no such label. */
    public String label(String name) {
        int index = metric.of().labels().indexOf(name);
        return index < 0 ? "" : labels.get(index);
    }
}
