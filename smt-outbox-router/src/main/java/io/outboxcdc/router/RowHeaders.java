package io.outboxcdc.router;

import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What became of the headers that a row itself asks for, out of its headers column and the stock router's tracing column.
 *
 * @param dropped      how many were left out, since their names are empty, reserved or taken
 * @param invalidTrace whether the trace was left out, in whole or in part
 */
record RowHeaders(int dropped, boolean invalidTrace) {

    private static final RowHeaders ALL_SET = new RowHeaders(0, false);

    /**
     * Sets the row's headers, behind those that are there.
     *
     * @param members     the headers column's members, each name once
     * @param spanContext the text of the tracing column
     * @param taken       lower-case names of headers that are not the row's to set
     */
    static RowHeaders set(Headers headers, List<EventHeader> members, @Nullable String spanContext, Set<String> taken) {
        String parent = null;
        String state = null;
        String baggage = null;
        int dropped = 0;
        for (EventHeader member : members) {
            String name = member.name();
            if (name.isEmpty() || HeaderNames.isReserved(name) || isTaken(name, taken)) {
                dropped++;
                continue;
            }
            switch (HeaderNames.traceName(name)) {
                case HeaderNames.TRACEPARENT -> parent = member.text();
                case HeaderNames.TRACESTATE -> state = member.text();
                case HeaderNames.BAGGAGE -> baggage = member.text();
                default -> headers.addString(name, member.text());
            }
        }
        if (parent == null && state == null && baggage == null && spanContext == null) {
            return dropped == 0 ? ALL_SET : new RowHeaders(dropped, false);
        }
        TraceContext trace = TraceContext.of(parent, state, baggage);
        boolean invalid = trace.invalid();
        if (spanContext != null) {
            TraceContext column = TraceContext.ofProperties(spanContext);
            TraceContext parents = parent == null ? column : trace;
            invalid |= parents.invalid();
            trace = new TraceContext(
                    parents.parent(), parents.state(), baggage == null ? column.baggage() : trace.baggage(), invalid);
        }
        trace.addTo(headers, taken);
        return dropped == 0 && !invalid ? ALL_SET : new RowHeaders(dropped, invalid);
    }

    private static boolean isTaken(String name, Set<String> taken) {
        return !taken.isEmpty() && taken.contains(name.toLowerCase(Locale.ROOT));
    }
}
