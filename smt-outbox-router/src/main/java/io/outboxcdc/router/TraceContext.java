package io.outboxcdc.router;

import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
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

    private static final int MAX_STATE_MEMBERS = 32;
    private static final int MAX_STATE_BYTES = 512;
    private static final int MAX_BAGGAGE_MEMBERS = 64;
    private static final int MAX_BAGGAGE_BYTES = 8_192;

    /** Version 00 has exactly this many characters; later ones may append fields. */
    private static final int PARENT_LENGTH = 55;

    private static final Pattern STATE_MEMBER = Pattern.compile(
            "[a-z0-9][a-z0-9_\\-*/@]{0,255}=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]");

    /** By character; a look into it is quicker than four comparisons, and each trace has 50 digits. */
    private static final boolean[] HEX_DIGITS = new boolean['f' + 1];

    static {
        "0123456789abcdef".chars().forEach(digit -> HEX_DIGITS[digit] = true);
    }

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

    /** @param taken names of headers that are not the row's to set */
    void addTo(Headers headers, Set<String> taken) {
        add(HeaderNames.TRACEPARENT, parent, headers, taken);
        add(HeaderNames.TRACESTATE, state, headers, taken);
        add(HeaderNames.BAGGAGE, baggage, headers, taken);
    }

    private static void add(String name, Optional<String> value, Headers headers, Set<String> taken) {
        if (value.isPresent() && !taken.contains(name)) {
            headers.addString(name, value.get());
        }
    }

    private static boolean isValidParent(String parent) {
        return parent.length() >= PARENT_LENGTH
                && isHex(parent, 0, 2)
                && !parent.startsWith("ff")
                && parent.charAt(2) == '-'
                && isHex(parent, 3, 35)
                && !isZero(parent, 3, 35)
                && parent.charAt(35) == '-'
                && isHex(parent, 36, 52)
                && !isZero(parent, 36, 52)
                && parent.charAt(52) == '-'
                && isHex(parent, 53, PARENT_LENGTH)
                && (parent.length() == PARENT_LENGTH
                        || (!parent.startsWith("00") && parent.charAt(PARENT_LENGTH) == '-'));
    }

    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c >= HEX_DIGITS.length || !HEX_DIGITS[c]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '0') {
                return false;
            }
        }
        return true;
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
