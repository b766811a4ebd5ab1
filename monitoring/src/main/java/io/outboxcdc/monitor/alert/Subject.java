package io.outboxcdc.monitor.alert;

import io.outboxcdc.monitor.alert.Condition.All;
import io.outboxcdc.monitor.alert.Condition.Any;
import io.outboxcdc.monitor.alert.Condition.Compare;
import io.outboxcdc.monitor.alert.Condition.InState;
import io.outboxcdc.monitor.metric.Measurement;
import io.outboxcdc.monitor.metric.Metric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a rule is asked of: a slot, a database, a connector, a cluster.
 *
 * @param labels which one, in the order of the metric's labels
 */
record Subject(Map<String, String> labels) {

    /** All that a rule has to be asked of. */
    static Set<Subject> of(AlertRule rule, Map<Metric, List<Measurement>> measured) {
        List<String> names = rule.condition().of().labels();
        Metric first = rule.metrics().iterator().next();
        Set<Subject> subjects = new LinkedHashSet<>();
        for (Measurement measurement : measured.getOrDefault(first, List.of())) {
            Map<String, String> labels = new LinkedHashMap<>();
            names.forEach(name -> labels.put(name, measurement.label(name)));
            subjects.add(new Subject(labels));
        }
        return subjects;
    }

    /** Whether a condition holds here; what is not measured never holds, as in Prometheus. */
    boolean meets(Condition condition, Map<Metric, List<Measurement>> measured) {
        if (condition instanceof Compare compare) {
            return matching(compare.metric(), measured).stream()
                    .anyMatch(found -> compare.comparison().holds(found.value(), compare.bound()));
        }
        if (condition instanceof InState inState) {
            return matching(Metric.STATE, measured).stream()
                    .anyMatch(found -> found.value() == 1
                            && found.label("state").equals(inState.state().name()));
        }
        if (condition instanceof All all) {
            return all.parts().stream().allMatch(part -> meets(part, measured));
        }
        return ((Any) condition).parts().stream().anyMatch(part -> meets(part, measured));
    }

    private List<Measurement> matching(Metric metric, Map<Metric, List<Measurement>> measured) {
        List<Measurement> matching = new ArrayList<>();
        for (Measurement measurement : measured.getOrDefault(metric, List.of())) {
            boolean same = metric.of().labels().stream()
                    .filter(labels::containsKey)
                    .allMatch(name -> measurement.label(name).equals(labels.get(name)));
            if (same) {
                matching.add(measurement);
            }
        }
        return matching;
    }
}
