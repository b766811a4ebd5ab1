package io.outboxcdc.router;

import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The counts as metrics of the worker. Tags take the codes of two enums, so that the number of metrics is fixed; all are
 * there from the start, so that a rate is right from the first event on. The reference page is made from this list.
 *
 * @param tag the tag's name and value; empty for none
 */
record RouterMetric(String name, String meaning, Map<String, String> tag, LongSupplier value) {

    private static final Logger LOG = LoggerFactory.getLogger(RouterMetric.class);

    /**
     * The counts of the newest router of each name. Connect leaves the metrics of a task behind that it could not start or
     * stop, and refuses them a second time until the worker ends; so they show whoever came last.
     */
    private static final Map<MetricName, LongSupplier> NEWEST = new ConcurrentHashMap<>();

    static void show(LocalCounts counts, PluginMetrics metrics) {
        for (RouterMetric one : of(counts)) {
            MetricName name = metrics.metricName(one.name, one.meaning, new LinkedHashMap<>(one.tag));
            NEWEST.put(name, one.value);
            Gauge<Long> gauge =
                    (config, now) -> NEWEST.getOrDefault(name, one.value).getAsLong();
            try {
                metrics.addMetric(name, gauge);
            } catch (IllegalArgumentException leftBehind) {
                LOG.debug("Metric {} of a former task shows this one", name);
            }
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
