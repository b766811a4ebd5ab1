package io.outboxcdc.router;

import java.util.Locale;

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
        return !traceName(name).isEmpty();
    }

    /** Which of the trace headers this name is, in any case; empty for others. */
    static String traceName(String name) {
        String trace = switch (name.length()) {
            case 11 -> TRACEPARENT;
            case 10 -> TRACESTATE;
            case 7 -> BAGGAGE;
            default -> "";
        };
        return !trace.isEmpty() && name.toLowerCase(Locale.ROOT).equals(trace) ? trace : "";
    }

    private static boolean startsWith(String name, String prefix) {
        // Most names are told by their first character, and each header of each row comes by.
        return !name.isEmpty()
                && Character.toLowerCase(name.charAt(0)) == prefix.charAt(0)
                && name.regionMatches(true, 0, prefix, 0, prefix.length());
    }
}
