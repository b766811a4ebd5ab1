package io.outboxcdc.router;

import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The counts as metrics of the worker. Tags take the codes of two enums, so that the number of metrics is fixed; all are
 * there from the start, so that a rate is right from the first event on. The reference page is made from this list.
 *
 * @param tag the tag's name and value; empty for none
 */
record RouterMetric(String name, String meaning, Map<String, String> tag, LongSupplier value) {

    static void show(LocalCounts counts, PluginMetrics metrics) {
        for (RouterMetric one : of(counts)) {
            Gauge<Long> gauge = (config, now) -> one.value.getAsLong();
            metrics.addMetric(metrics.metricName(one.name, one.meaning, new LinkedHashMap<>(one.tag)), gauge);
        }
    }

    static List<RouterMetric> of(LocalCounts counts) {
        List<RouterMetric> all = new ArrayList<>();
        all.add(untagged("published-total", "Rows that became events.", counts.published::sum));
        for (DeadLetterReason reason : DeadLetterReason.values()) {
            all.add(new RouterMetric(
                    "dead-letter-total",
                    "Rows that became dead letters, by reason.",
                    Map.of("reason", reason.name()),
                    () -> counts.countOf(reason)));
        }
        for (DropRule rule : DropRule.values()) {
            all.add(new RouterMetric(
                    "dropped-total",
                    "Changes of the outbox that are no events by rule.",
                    Map.of("rule", rule.name().toLowerCase(Locale.ROOT)),
                    () -> counts.countOf(rule)));
        }
        all.add(untagged(
                "header-collision-total",
                "Headers of rows that were left out, since their names are empty, reserved or taken.",
                counts.headerCollisions::sum));
        all.add(untagged(
                "invalid-trace-total",
                "Events whose trace breaks the rules of W3C Trace Context and was left out.",
                counts.invalidTraces::sum));
        all.add(untagged(
                "replaced-time-total",
                "Events whose own time Kafka would refuse, so that they have the time of the change.",
                counts.replacedTimes::sum));
        return all;
    }

    private static RouterMetric untagged(String name, String meaning, LongSupplier value) {
        return new RouterMetric(name, meaning, Map.of(), value);
    }
}
