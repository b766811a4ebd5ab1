package io.outboxcdc.client.outbox;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

class TraceContextTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final OutboxEvent EVENT = OutboxEvent.of("order", "42").withPayloadText("{}");

    @Test
    void theCurrentSpanAndBaggageOfOpenTelemetryTravel() {
        SpanContext span = SpanContext.create(
                TRACE,
                SPAN,
                TraceFlags.getSampled(),
                TraceState.builder().put("a", "1").build());
        Context context = Context.root()
                .with(Span.wrap(span))
                .with(Baggage.builder().put("tenant", "acme").build());

        try (Scope scope = context.makeCurrent()) {
            assertThat(headers(TraceContext.detect(), EVENT.withHeader("n", 1)))
                    .isEqualTo(Map.of(
                            "traceparent",
                            "00-" + TRACE + "-" + SPAN + "-01",
                            "tracestate",
                            "a=1",
                            "baggage",
                            "tenant=acme",
                            "n",
                            1));
        }
    }

    @Test
    void withoutASpanThereAreNoHeaders() {
        assertThat(headers(TraceContext.detect(), EVENT)).isEmpty();
    }

    @Test
    void theTraceOfTheEventItselfIsNotMixedWithTheCurrentOne() {
        TraceContext current = () -> Map.of("traceparent", "current", "tracestate", "current=1");

        assertThat(headers(current, EVENT.withHeader("traceparent", "own"))).isEqualTo(Map.of("traceparent", "own"));
    }

    private static Map<String, Object> headers(TraceContext trace, OutboxEvent event) {
        return new EventRows(UUID::randomUUID, trace, Object::toString, new EventChecks(1_000))
                .of(List.of(event))
                .get(0)
                .headers();
    }
}
