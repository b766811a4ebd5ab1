package io.outboxcdc.router;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A validator of one option that says what it accepts. Null is always accepted: an option that is not set has no value,
 * and Connect hands over null for one that could not be parsed and was reported already.
 */
final class Check implements ConfigDef.Validator {

    static final Check ANY = new Check("", value -> true);
    static final Check COLUMN = text("the name of a column", value -> !value.isBlank());
    static final Check REGEX = text("a regular expression of java.util.regex", Check::isRegex);
    static final Check TABLES = text(
            "a comma-separated list of regular expressions, each for a whole schema.table such as public.outbox",
            value -> TableFilter.expressions(value).stream().allMatch(part -> !part.isBlank() && isRegex(part)));
    static final Check TOPIC = text(TopicName.RULE, TopicName::isLegal);
    static final Check HEADER = text(
            "a header name that is not blank and not reserved (id, traceparent, tracestate, baggage, outbox.*,"
                    + " __debezium.*)",
            value -> !value.isBlank() && !HeaderNames.isReserved(value) && !HeaderNames.isTrace(value));
    static final Check URI_REFERENCE = text(
            "a URI reference such as /shop or https://shop.example/orders", value -> CloudEvents.isUri(value, false));
    static final Check PREFIX = text("a prefix that is not blank", value -> !value.isBlank());
    static final Check BYTES = new Check("a whole number of bytes, 1 or more", value -> ((Integer) value) >= 1);
    static final Check NAMES = list("a comma-separated list without empty entries", entry -> !entry.isBlank());
    static final Check PLACEMENTS = list(
            "a comma-separated list of column:placement or column:placement:alias, where placement is header, envelope or"
                    + " partition, no header is named id and no field of the envelope payload",
            Placement::isValid);

    private final String accepted;
    private final Predicate<Object> test;

    private Check(String accepted, Predicate<Object> test) {
        this.accepted = accepted;
        this.test = test;
    }

    static <E extends Enum<E> & Choice> Check oneOf(Class<E> choices) {
        List<String> texts =
                Arrays.stream(choices.getEnumConstants()).map(Choice::text).toList();
        return text(
                "one of " + String.join(", ", texts), value -> texts.stream().anyMatch(value::equalsIgnoreCase));
    }

    private static Check text(String accepted, Predicate<String> test) {
        return new Check(accepted, value -> test.test((String) value));
    }

    private static Check list(String accepted, Predicate<String> entryTest) {
        return new Check(accepted, value -> {
            List<String> entries = entries(value);
            return !entries.isEmpty() && entries.stream().allMatch(entryTest);
        });
    }

    /** The entries of a parsed LIST value; as in the stock router one comma too many at the end is no entry. */
    static List<String> entries(Object value) {
        List<String> entries = ((List<?>) value).stream().map(String::valueOf).toList();
        int size = entries.size();
        return size > 0 && entries.get(size - 1).isBlank() ? entries.subList(0, size - 1) : entries;
    }

    private static boolean isRegex(String text) {
        try {
            Pattern.compile(text);
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    boolean accepts(Object value) {
        return test.test(value);
    }

    @Override
    public void ensureValid(String option, Object value) {
        if (value != null && !accepts(value)) {
            throw new ConfigException(option, value, "accepted: " + accepted);
        }
    }

    /** What is accepted, in words; empty when everything of the option's type is. */
    @Override
    public String toString() {
        return accepted;
    }
}
