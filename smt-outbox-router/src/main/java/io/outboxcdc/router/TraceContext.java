package io.outboxcdc.router;

import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * The trace that a row carries, kept to the rules of <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>
 * and <a href="https://www.w3.org/TR/baggage/">W3C Baggage</a>.
 *
 * @param parent  a valid {@code traceparent}, or nothing
 * @param state   a {@code tracestate} within the limits; only ever beside a parent
 * @param baggage within the limits
 * @param invalid whether something was left out because it breaks the rules
 */
record TraceContext(Optional<String> parent, Optional<String> state, Optional<String> baggage, boolean invalid) {

    static final TraceContext NONE = new TraceContext(Optional.empty(), Optional.empty(), Optional.empty(), false);

    private static final int MAX_STATE_MEMBERS = 32;
    private static final int MAX_STATE_BYTES = 512;
    private static final int MAX_BAGGAGE_MEMBERS = 64;
    private static final int MAX_BAGGAGE_BYTES = 8_192;

    private static final Pattern PARENT = Pattern.compile(
            "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?", Pattern.DOTALL);

    /** Version 00 has exactly this many characters; later ones may append fields. */
    private static final int PARENT_LENGTH = 55;

    private static final Pattern STATE_MEMBER = Pattern.compile(
            "[a-z0-9][a-z0-9_\\-*/@]{0,255}=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]");

    static TraceContext of(@Nullable String parent, @Nullable String state, @Nullable String baggage) {
        boolean parentValid = parent != null && isValidParent(parent);
        boolean stateValid = state != null && isValidState(state);
        boolean invalid = (parent != null && !parentValid) || (state != null && !(parentValid && stateValid));
        return new TraceContext(
                parentValid ? Optional.ofNullable(parent) : Optional.empty(),
                parentValid && stateValid && state != null
                        ? cut(state, MAX_STATE_MEMBERS, MAX_STATE_BYTES)
                        : Optional.empty(),
                baggage == null ? Optional.empty() : cut(baggage, MAX_BAGGAGE_MEMBERS, MAX_BAGGAGE_BYTES),
                invalid);
    }

    /** Reads the format of the stock router's column, the text of {@link Properties}. */
    static TraceContext ofProperties(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            return new TraceContext(Optional.empty(), Optional.empty(), Optional.empty(), true);
        }
        return of(
                properties.getProperty(HeaderNames.TRACEPARENT),
                properties.getProperty(HeaderNames.TRACESTATE),
                properties.getProperty(HeaderNames.BAGGAGE));
    }

    List<EventHeader> headers() {
        List<EventHeader> headers = new ArrayList<>(3);
        parent.ifPresent(value -> headers.add(EventHeader.text(HeaderNames.TRACEPARENT, value)));
        state.ifPresent(value -> headers.add(EventHeader.text(HeaderNames.TRACESTATE, value)));
        baggage.ifPresent(value -> headers.add(EventHeader.text(HeaderNames.BAGGAGE, value)));
        return headers;
    }

    private static boolean isValidParent(String parent) {
        return PARENT.matcher(parent).matches() && (parent.length() == PARENT_LENGTH || !parent.startsWith("00"));
    }

    private static boolean isValidState(String state) {
        for (String member : state.split(",", -1)) {
            String trimmed = member.strip();
            if (!trimmed.isEmpty() && !STATE_MEMBER.matcher(trimmed).matches()) {
                return false;
            }
        }
        return true;
    }

    /** Drops whole members from the right until the text is within both limits. */
    private static Optional<String> cut(String list, int maxMembers, int maxBytes) {
        int kept = 0;
        int start = 0;
        for (int members = 0; members < maxMembers && start <= list.length(); members++) {
            int comma = list.indexOf(',', start);
            int end = comma < 0 ? list.length() : comma;
            if (Utils.utf8Length(list.substring(0, end)) > maxBytes) {
                break;
            }
            kept = end;
            start = end + 1;
        }
        return Optional.of(list.substring(0, kept)).filter(text -> !text.isBlank());
    }
}
