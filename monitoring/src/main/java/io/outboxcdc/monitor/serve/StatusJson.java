package io.outboxcdc.monitor.serve;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outboxcdc.monitor.alert.Alert;
import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.Forecast;
import io.outboxcdc.monitor.core.OutboxFacts;
import io.outboxcdc.monitor.core.TaskFailure;
import io.outboxcdc.monitor.core.TimeSeries.Point;
import io.outboxcdc.monitor.metric.Measurement;
import io.outboxcdc.monitor.metric.Metric;
import io.outboxcdc.monitor.sample.SlotStatus;
import io.outboxcdc.monitor.sample.Snapshot.ClusterStatus;
import io.outboxcdc.monitor.sample.Snapshot.DatabaseStatus;

import java.util.List;
import java.util.Optional;

/** The last sample as JSON: the status, whose form others rely on, and the detail, which is the page's own. */
final class StatusJson {

    private static final ObjectMapper JSON = new ObjectMapper();

    private StatusJson() {}

    /** {@code {"slots": [...], "connectors": [...]}}; {@code eta_seconds} is null when nothing is foreseeable. */
    static String status(View view) {
        ObjectNode status = JSON.createObjectNode();
        ArrayNode slots = status.putArray("slots");
        view.snapshot().slots().forEach(slot -> slot(slots.addObject(), slot));
        ArrayNode connectors = status.putArray("connectors");
        view.snapshot().clusters().forEach(cluster -> connectors(connectors, cluster));
        return status.toString();
    }

    private static ObjectNode slot(ObjectNode json, SlotStatus slot) {
        json.put("database", slot.expected().database());
        json.put("slot", slot.expected().slot());
        json.put("state", slot.finding().state().name());
        json.put("cause", slot.finding().cause());
        json.put("retained_bytes", slot.measures().retainedBytes());
        json.put("unconfirmed_bytes", slot.measures().unconfirmedBytes());
        json.put("lag_seconds", slot.measures().lag().seconds());
        Optional<Forecast.Event> first = slot.measures().forecast().first();
        json.put("eta_seconds", first.map(Forecast.Event::seconds).orElse(null));
        return json;
    }

    private static void connectors(ArrayNode list, ClusterStatus cluster) {
        for (String name : cluster.watched()) {
            ObjectNode json = list.addObject();
            json.put("cluster", cluster.name());
            json.put("connector", name);
            Optional<ConnectorFacts> facts = cluster.reading().value().map(all -> all.get(name));
            json.put(
                    "state",
                    cluster.reading().reason().isPresent()
                            ? "UNKNOWN"
                            : facts.map(ConnectorFacts::state).orElse("MISSING"));
            cluster.reading().reason().ifPresent(reason -> json.put("cause", reason));
            ArrayNode tasks = json.putArray("tasks");
            facts.ifPresent(found -> found.tasks().forEach(task -> {
                ObjectNode one = tasks.addObject();
                one.put("id", task.id());
                one.put("state", task.state());
                task.failure().map(TaskFailure::cause).ifPresent(cause -> one.put("cause", cause));
            }));
        }
    }

    /** What the page shows beside the status. */
    static String detail(View view) {
        ObjectNode detail = JSON.createObjectNode();
        detail.put("time", view.snapshot().time().toEpochMilli());
        ArrayNode slots = detail.putArray("slots");
        for (SlotStatus slot : view.snapshot().slots()) {
            ObjectNode json = slot(slots.addObject(), slot);
            json.put("since", slot.since().toEpochMilli());
            json.put("next", slot.finding().next());
            json.put("lag_at_least", slot.measures().lag().atLeast());
            json.put(
                    "eta_event",
                    slot.measures().forecast().first().map(Forecast.Event::what).orElse(null));
            measured(view, slot, Metric.HEARTBEAT_AGE_SECONDS)
                    .ifPresent(value -> json.put("heartbeat_age_seconds", value));
            measured(view, slot, Metric.DEAD_LETTERS_RECENTLY)
                    .ifPresent(value -> json.put("dead_letters_per_minute", value / 10));
            outbox(view, slot).ifPresent(outbox -> {
                ObjectNode table = json.putObject("outbox");
                table.put("estimated_rows", outbox.estimatedRows());
                table.put("bytes", outbox.bytes());
                table.put("partitions", outbox.partitions().size());
            });
            Histories.Line line = view.histories().get(slot.expected().key());
            if (line != null) {
                points(json.putArray("retained"), line.retained());
                points(json.putArray("unconfirmed"), line.unconfirmed());
            }
        }
        ArrayNode connectors = detail.putArray("connectors");
        view.snapshot().clusters().forEach(cluster -> connectors(connectors, cluster));
        ArrayNode databases = detail.putArray("databases");
        for (DatabaseStatus database : view.snapshot().databases()) {
            ObjectNode json = databases.addObject();
            json.put("database", database.name());
            ArrayNode preflight = json.putArray("preflight");
            database.preflight().forEach(preflight::add);
        }
        ArrayNode alerts = detail.putArray("alerts");
        for (Alert alert : view.alerts()) {
            ObjectNode json = alerts.addObject();
            json.put("name", alert.rule().alertName());
            json.put("severity", alert.rule().severity().label());
            json.put("summary", alert.rule().summary());
            json.put("about", String.join(" ", alert.labels().values()));
            json.put("since", alert.since().toEpochMilli());
            json.put("detail", alert.detail());
        }
        return detail.toString();
    }

    private static Optional<OutboxFacts> outbox(View view, SlotStatus slot) {
        return view.snapshot()
                .lastKnown(slot.expected())
                .map(facts -> facts.outboxes().get(slot.expected().slot()));
    }

    private static Optional<Double> measured(View view, SlotStatus slot, Metric metric) {
        List<String> labels =
                List.of(slot.expected().database(), slot.expected().slot());
        return view.measurements().stream()
                .filter(found -> found.metric() == metric && found.labels().equals(labels))
                .map(Measurement::value)
                .findFirst();
    }

    private static void points(ArrayNode list, List<Point> points) {
        points.forEach(point -> list.addArray().add(point.millis()).add(point.value()));
    }
}
