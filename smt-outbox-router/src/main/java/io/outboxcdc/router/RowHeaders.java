package io.outboxcdc.router;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The headers that a row itself asks for, out of its headers column and the stock router's tracing column.
 *
 * @param headers      the headers to set
 * @param dropped      how many were left out, since their names are empty, reserved or taken
 * @param invalidTrace whether the trace was left out, in whole or in part
 */
record RowHeaders(List<EventHeader> headers, int dropped, boolean invalidTrace) {

    private static final RowHeaders NONE = new RowHeaders(List.of(), 0, false);

    /**
     * @param members     the headers column's members by name
     * @param spanContext the text of the tracing column
     * @param taken       lower-case names of headers that are not the row's to set
     */
    static RowHeaders of(Map<String, String> members, @Nullable String spanContext, Set<String> taken) {
        if (members.isEmpty() && spanContext == null) {
            return NONE;
        }
        Map<String, String> trace = new LinkedHashMap<>();
        List<EventHeader> headers = new ArrayList<>(members.size());
        int dropped = 0;
        for (Map.Entry<String, String> member : members.entrySet()) {
            String name = member.getKey();
            String lowerCase = name.toLowerCase(Locale.ROOT);
            if (name.isEmpty() || HeaderNames.isReserved(name) || taken.contains(lowerCase)) {
                dropped++;
            } else if (HeaderNames.isTrace(name)) {
                trace.put(lowerCase, member.getValue());
            } else {
                headers.add(EventHeader.text(name, member.getValue()));
            }
        }
        if (trace.isEmpty() && spanContext == null) {
            return new RowHeaders(headers, dropped, false);
        }
        TraceContext own = TraceContext.of(
                trace.get(HeaderNames.TRACEPARENT), trace.get(HeaderNames.TRACESTATE), trace.get(HeaderNames.BAGGAGE));
        TraceContext column = spanContext == null ? TraceContext.NONE : TraceContext.ofProperties(spanContext);
        TraceContext parent = trace.containsKey(HeaderNames.TRACEPARENT) ? own : column;
        TraceContext baggage = trace.containsKey(HeaderNames.BAGGAGE) ? own : column;
        TraceContext travels = new TraceContext(parent.parent(), parent.state(), baggage.baggage(), false);
        for (EventHeader header : travels.headers()) {
            if (!taken.contains(header.name())) {
                headers.add(header);
            }
        }
        return new RowHeaders(headers, dropped, own.invalid() || parent.invalid());
    }
}
