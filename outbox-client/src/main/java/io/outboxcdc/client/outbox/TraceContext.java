package io.outboxcdc.client.outbox;

import java.util.Map;

/**
 * The trace that the caller is in, so that consumers go on with it. Called once for each event that has no
 * {@code traceparent} of its own, on the thread that appends it.
 */
@FunctionalInterface
public interface TraceContext {

    /** No trace. */
    TraceContext NONE = Map::of;

    /**
     * The headers {@code traceparent}, {@code tracestate} and {@code baggage} of the current trace, as far as there are
     * any (w3.org/TR/trace-context, w3.org/TR/baggage).
     */
    Map<String, String> headers();

    /** The current context of OpenTelemetry when its API is on the class path, else {@link #NONE}. */
    static TraceContext detect() {
        return ClassPresence.of("io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator")
                ? new OpenTelemetryTraceContext()
                : NONE;
    }
}
