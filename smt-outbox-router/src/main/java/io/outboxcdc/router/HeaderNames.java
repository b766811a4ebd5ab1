package io.outboxcdc.router;

import java.util.Locale;
import java.util.Set;

/** Names of record headers that have a fixed meaning. */
final class HeaderNames {

    static final String ID = "id";
    static final String TRACEPARENT = "traceparent";
    static final String TRACESTATE = "tracestate";
    static final String BAGGAGE = "baggage";
    static final String ERROR_REASON = "outbox.error.reason";
    static final String ERROR_MESSAGE = "outbox.error.message";
    static final String ERROR_COLUMN = "outbox.error.column";
    static final String SOURCE_LSN = "outbox.source.lsn";
    static final String SOURCE_TX = "outbox.source.tx";

    private static final Set<String> TRACE = Set.of(TRACEPARENT, TRACESTATE, BAGGAGE);
    private static final String OURS = "outbox.";
    private static final String DEBEZIUMS = "__debezium.";

    private HeaderNames() {}

    /**
     * Whether no header of a row may have this name. Consumers look headers up in their own ways, some without regard to
     * case, so {@code ID} is as reserved as {@code id}.
     */
    static boolean isReserved(String name) {
        return name.equalsIgnoreCase(ID) || startsWith(name, OURS) || startsWith(name, DEBEZIUMS);
    }

    static boolean isTrace(String name) {
        return TRACE.contains(name.toLowerCase(Locale.ROOT));
    }

    private static boolean startsWith(String name, String prefix) {
        return name.regionMatches(true, 0, prefix, 0, prefix.length());
    }
}
