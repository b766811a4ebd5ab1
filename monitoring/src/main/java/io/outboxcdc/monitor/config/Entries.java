package io.outboxcdc.monitor.config;

import org.apache.commons.text.similarity.LevenshteinDistance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The entries of a file, read by option. Problems are gathered, so that all are said at once. */
final class Entries {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([^}]*)}");

    private final Map<String, String> entries = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    Entries(Map<String, String> raw, Map<String, String> environment) {
        raw.forEach((key, value) -> entries.put(key, resolve(key, value, environment)));
    }

    List<String> problems() {
        return Collections.unmodifiableList(problems);
    }

    void problem(String what) {
        problems.add(what);
    }

    /** An entry that is no option, and the known key that was meant by it, unless more than a third of it differs. */
    void unknown(String key, Set<String> known) {
        LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
        Optional<String> nearest = known.stream()
                .min(Comparator.comparing((String candidate) -> distance.apply(key, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(candidate -> distance.apply(key, candidate) <= Math.max(key.length(), candidate.length()) / 3);
        problem(key + " is not an option here"
                + nearest.map(found -> "; did you mean " + found + "?").orElse(""));
    }

    Map<String, String> all() {
        return Collections.unmodifiableMap(entries);
    }

    String text(Option option, String... names) {
        String key = option.key(names);
        Optional<String> value = Optional.ofNullable(entries.get(key)).filter(text -> !text.isBlank());
        if (value.isPresent()) {
            return value.get().strip();
        }
        if (option.byDefault().isEmpty()) {
            problem(key + " is missing. " + option.meaning());
        }
        return option.byDefault().orElse("");
    }

    Optional<String> optional(Option option, String... names) {
        return Optional.of(text(option, names)).filter(text -> !text.isEmpty());
    }

    List<String> names(Option option, String... names) {
        List<String> found = Values.names(text(option, names));
        for (String name : found) {
            if (!name.matches("[A-Za-z0-9_-]+")) {
                problem(option.key(names) + " has the name '" + name
                        + "'; a name is of letters, digits, underscores and hyphens");
            }
        }
        return found;
    }

    Duration duration(Option option, String... names) {
        return optionalDuration(option, names).orElse(Duration.ofSeconds(1));
    }

    Optional<Duration> optionalDuration(Option option, String... names) {
        return parsed(option, Values::duration, Values.DURATION_FORM, names);
    }

    long size(Option option, String... names) {
        return optionalSize(option, names).orElse(0L);
    }

    Optional<Long> optionalSize(Option option, String... names) {
        return parsed(option, Values::size, Values.SIZE_FORM, names);
    }

    boolean isOn(Option option, String... names) {
        return parsed(option, Values::onOff, "on or off", names).orElse(false);
    }

    int port(Option option) {
        return parsed(
                        option,
                        text -> text.matches("\\d{1,5}") && Integer.parseInt(text) <= 65_535
                                ? Optional.of(Integer.parseInt(text))
                                : Optional.empty(),
                        "a number from 0 to 65535")
                .orElse(0);
    }

    private <T> Optional<T> parsed(Option option, Function<String, Optional<T>> parse, String form, String... names) {
        String text = text(option, names);
        Optional<T> value = parse.apply(text);
        if (value.isEmpty() && !text.isEmpty()) {
            problem(option.key(names) + " is '" + text + "'; it has to be " + form);
        }
        return value;
    }

    private String resolve(String key, String value, Map<String, String> environment) {
        Matcher matcher = VARIABLE.matcher(value);
        StringBuilder resolved = new StringBuilder();
        while (matcher.find()) {
            String found = environment.get(matcher.group(1));
            if (found == null) {
                problem(key + " names the environment variable " + matcher.group(1) + ", which is not set");
            }
            matcher.appendReplacement(resolved, Matcher.quoteReplacement(found == null ? "" : found));
        }
        return matcher.appendTail(resolved).toString();
    }
}
