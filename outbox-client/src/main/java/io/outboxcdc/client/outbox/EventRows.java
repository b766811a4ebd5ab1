package io.outboxcdc.client.outbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes rows of events: id, trace headers, JSON; and judges them. */
final class EventRows {

    private static final String TRACEPARENT = "traceparent";

    private final Supplier<UUID> ids;
    private final TraceContext trace;
    private final JsonWriter json;
    private final EventChecks checks;

    EventRows(Supplier<UUID> ids, TraceContext trace, JsonWriter json, EventChecks checks) {
        this.ids = ids;
        this.trace = trace;
        this.json = json;
        this.checks = checks;
    }

    List<OutboxRow> of(List<OutboxEvent> events) {
        List<OutboxRow> rows = new ArrayList<>(events.size());
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            OutboxEvent event = events.get(i);
            String name = (events.size() == 1 ? "Event" : "Event " + (i + 1)) + " of aggregate " + event.aggregateType()
                    + " '" + event.aggregateId() + "'";
            OutboxRow row = row(event, name);
            checks.problems(row).forEach(problem -> problems.add(name + ": " + problem + "."));
            rows.add(row);
        }
        if (!problems.isEmpty()) {
            throw new InvalidEventException(problems);
        }
        return rows;
    }

    private OutboxRow row(OutboxEvent event, String name) {
        Payload payload = event.payload();
        Optional<String> text = Optional.empty();
        Optional<byte[]> bytes = Optional.empty();
        if (payload instanceof Payload.Value value) {
            text = Optional.of(toJson(value.object(), name));
        } else if (payload instanceof Payload.Text ready) {
            text = Optional.of(ready.text());
        } else if (payload instanceof Payload.Bytes ready) {
            bytes = Optional.of(ready.bytes());
        }
        return new OutboxRow(
                event.id().orElseGet(ids),
                event.aggregateType(),
                event.aggregateId(),
                event.eventType(),
                text,
                bytes,
                withTrace(event.headers()));
    }

    /** The event's own trace headers stand alone: those of two traces must not be mixed. */
    private Map<String, Object> withTrace(Map<String, Object> headers) {
        if (headers.keySet().stream().anyMatch(TRACEPARENT::equalsIgnoreCase)) {
            return headers;
        }
        Map<String, String> current = trace.headers();
        if (current.isEmpty()) {
            return headers;
        }
        Map<String, Object> all = new LinkedHashMap<>(current);
        all.putAll(headers);
        return all;
    }

    private String toJson(Object object, String name) {
        try {
            return json.write(object);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    name + ": its payload, a " + object.getClass().getName() + ", could not be written as JSON.", e);
        }
    }
}
