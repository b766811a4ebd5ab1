package io.outboxcdc.client.outbox;

import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The current context of OpenTelemetry, always in the W3C form: that is what the router checks and lets travel, whatever
 * propagators the application has set for its HTTP calls.
 */
final class OpenTelemetryTraceContext implements TraceContext {

    private final TextMapPropagator w3c =
            TextMapPropagator.composite(W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance());

    @Override
    public Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        w3c.inject(Context.current(), headers, (carrier, name, value) -> {
            if (carrier != null) {
                carrier.put(name, value);
            }
        });
        return headers;
    }
}
