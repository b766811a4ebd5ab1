package io.outboxcdc.router;

import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;

/** What the router counts is shown; that the worker shows it over JMX is for the pipeline tests. */
class RouterMetricTest {

    private final Metrics worker = new Metrics();

    private final PluginMetricsImpl plugin = new PluginMetricsImpl(worker, Map.of("transformation", "outbox"));

    @AfterEach
    void close() {
        worker.close();
    }

    @Test
    void everyCountIsAMetricAndRises() {
        RouterUnderTest router = RouterUnderTest.asShipped("table.field.event.timestamp", "created_at");
        router.router.withPluginMetrics(plugin);
        int shown = worker.metrics().size();

        router.route(aRow());
        router.route(aRow().with("headers", "{\"ID\": \"x\", \"\": \"y\", \"traceparent\": \"no\"}")
                .with("created_at", "infinity"));
        router.route(aRow().with("aggregate_id", ""));
        router.apply(aRow().operation("u"));

        assertThat(value("published-total", Map.of())).isEqualTo(2L);
        assertThat(value("dead-letter-total", Map.of("reason", "KEY_MISSING"))).isEqualTo(1L);
        assertThat(value("dead-letter-total", Map.of("reason", "ID_MISSING"))).isEqualTo(0L);
        assertThat(value("dropped-total", Map.of("rule", "update"))).isEqualTo(1L);
        assertThat(value("dropped-total", Map.of("rule", "delete"))).isEqualTo(0L);
        assertThat(value("header-collision-total", Map.of())).isEqualTo(2L);
        assertThat(value("invalid-trace-total", Map.of())).isEqualTo(1L);
        assertThat(value("replaced-time-total", Map.of())).isEqualTo(1L);
        assertThat(worker.metrics()).hasSize(shown);
    }

    /** Connect does so when it could not start a task, or not stop it in time: the next one must start all the same. */
    @Test
    void metricsThatAFormerTaskLeftBehindShowTheNextOne() {
        RouterUnderTest former = RouterUnderTest.asShipped();
        former.router.withPluginMetrics(plugin);
        former.route(aRow());
        RouterUnderTest next = RouterUnderTest.asShipped();

        next.router.withPluginMetrics(new PluginMetricsImpl(worker, Map.of("transformation", "outbox")));

        assertThat(value("published-total", Map.of())).isEqualTo(0L);
        next.route(aRow());
        next.route(aRow());
        assertThat(value("published-total", Map.of())).isEqualTo(2L);
    }

    @Test
    void aRouterThatIsGivenNoMetricsWorks() {
        assertThat(RouterUnderTest.asShipped().route(aRow()).topic()).isEqualTo("outbox.event.Order");
    }

    private Object value(String name, Map<String, String> tags) {
        Map<String, String> all = new HashMap<>(tags);
        all.put("transformation", "outbox");
        KafkaMetric metric = worker.metric(worker.metricName(name, "plugins", all));
        assertThat(metric).as(name + tags).isNotNull();
        return metric.metricValue();
    }
}
