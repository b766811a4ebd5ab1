package io.outboxcdc.router;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the headers column in its usual form: one object of a few texts without escapes, numbers, booleans and nulls.
 * Gives up on everything else, legal or not, and leaves it to {@link HeadersJson}'s parser, which costs more than all the
 * rest of an event's way through the router.
 */
final class PlainMembers {

    /** So few that to look through them for a name is quicker than any map. */
    private static final int MOST = 8;

    private final String text;
    private final List<String> expected;
    private int at;

    private PlainMembers(String text, List<String> expected) {
        this.text = text;
        this.expected = expected;
    }

    /**
     * The members in their order, nulls left out; null to leave the text to a parser.
     *
     * @param expected names of members that were read before; where the same come again, no new text is made of them
     */
    static @Nullable List<EventHeader> read(String text, List<String> expected) {
        return new PlainMembers(text, expected).members();
    }

    static boolean haveNames(List<EventHeader> members, List<String> names) {
        if (members.size() != names.size()) {
            return false;
        }
        for (int i = 0; i < names.size(); i++) {
            if (!members.get(i).name().equals(names.get(i))) {
                return false;
            }
        }
        return true;
    }

    private @Nullable List<EventHeader> members() {
        if (!skip('{')) {
            return null;
        }
        List<EventHeader> members = new ArrayList<>(MOST);
        if (!skip('}')) {
            do {
                String name = name(members.size());
                if (name == null
                        || members.size() == MOST
                        || isIn(members, name)
                        || !skip(':')
                        || !value(name, members)) {
                    return null;
                }
            } while (skip(','));
            if (!skip('}')) {
                return null;
            }
        }
        blanks();
        return at == text.length() ? members : null;
    }

    private @Nullable String name(int number) {
        if (number < expected.size() && skip('"')) {
            String name = expected.get(number);
            int end = at + name.length();
            if (end < text.length() && text.charAt(end) == '"' && text.startsWith(name, at)) {
                at = end + 1;
                return name;
            }
            at--;
        }
        return string();
    }

    private boolean value(String name, List<EventHeader> members) {
        blanks();
        String value = peek() == '"' ? string() : token();
        if (value == null) {
            return false;
        }
        // A text "null" has its quotes before it.
        if (!value.equals("null") || text.charAt(at - 1) == '"') {
            members.add(new EventHeader(name, value));
        }
        return true;
    }

    private static boolean isIn(List<EventHeader> members, String name) {
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** A string whose text stands in the document as it is. */
    private @Nullable String string() {
        if (!skip('"')) {
            return null;
        }
        int start = at;
        int end = text.indexOf('"', start);
        if (end < 0) {
            return null;
        }
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c == '\\' || c < ' ') {
                return null;
            }
        }
        at = end + 1;
        return text.substring(start, end);
    }

    /** A number, a boolean or null, up to the comma, brace or blank that ends it. */
    private @Nullable String token() {
        int start = at;
        while (at < text.length() && isOfToken(text.charAt(at))) {
            at++;
        }
        String token = text.substring(start, at);
        return token.equals("true") || token.equals("false") || token.equals("null") || isNumber(token) ? token : null;
    }

    private static boolean isOfToken(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' || c == 'E';
    }

    /** By the grammar of <a href="https://www.rfc-editor.org/rfc/rfc8259#section-6">RFC 8259</a>, without an exponent. */
    private static boolean isNumber(String token) {
        int start = token.startsWith("-") ? 1 : 0;
        int whole = digits(token, start);
        if (whole == start || (token.charAt(start) == '0' && whole > start + 1)) {
            return false;
        }
        if (whole == token.length()) {
            return true;
        }
        int fraction = digits(token, whole + 1);
        return token.charAt(whole) == '.' && fraction > whole + 1 && fraction == token.length();
    }

    private static int digits(String token, int from) {
        int at = from;
        while (at < token.length() && token.charAt(at) >= '0' && token.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    private boolean skip(char wanted) {
        blanks();
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void blanks() {
        // Any blank is at most a space, and what comes next seldom is.
        while (at < text.length() && text.charAt(at) <= ' ' && isBlank(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }
}
