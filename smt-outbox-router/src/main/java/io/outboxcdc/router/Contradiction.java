package io.outboxcdc.router;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Finds options that are right by themselves and wrong together. Connect's validation calls a recommender with all
 * parsed values and takes a {@link ConfigException} out of it for an error of that option: the only place where a
 * transform can compare options before its task starts.
 */
final class Contradiction implements ConfigDef.Recommender {

    /** A reference to a group, as {@link Matcher#appendReplacement} reads it. */
    private static final Pattern REFERENCE = Pattern.compile("(?<!\\\\)\\$(\\{\\w+}|\\d)");

    private static final Map<RouterOption, Contradiction> ALL = Map.of(
            RouterOption.TOPIC_REPLACEMENT, new Contradiction(Check.ANY, Contradiction::inReplacement),
            RouterOption.ALLOW_LIST, new Contradiction(Check.NAMES, Contradiction::inAllowList),
            RouterOption.DEAD_LETTER_TOPIC, new Contradiction(Check.TOPIC, Contradiction::inDeadLetterTopic),
            RouterOption.EVENT_TYPE_HEADER, new Contradiction(Check.HEADER, Contradiction::inEventTypeHeader),
            RouterOption.PLACEMENTS, new Contradiction(Check.PLACEMENTS, Contradiction::inPlacements));

    private final Check check;
    private final Function<Map<String, Object>, Optional<String>> problem;

    private Contradiction(Check check, Function<Map<String, Object>, Optional<String>> problem) {
        this.check = check;
        this.problem = problem;
    }

    static ConfigDef.@Nullable Recommender recommenderOf(RouterOption option) {
        return ALL.get(option);
    }

    @Override
    public List<Object> validValues(String option, Map<String, Object> values) {
        Object value = values.get(option);
        // Also called with a value that the option's own check has refused, and reported, already.
        if (value != null && check.accepts(value)) {
            problem.apply(values).ifPresent(found -> {
                throw new ConfigException(option, value, found);
            });
        }
        return List.of();
    }

    @Override
    public boolean visible(String option, Map<String, Object> values) {
        return true;
    }

    private static Optional<String> inReplacement(Map<String, Object> values) {
        Optional<Pattern> regex = regexOf(values);
        if (regex.isEmpty()) {
            return Optional.empty();
        }
        String replacement = text(values, RouterOption.TOPIC_REPLACEMENT);
        String fixedPart;
        try {
            // An empty alternative in front matches at once with every group unset: what is left is the fixed text.
            fixedPart = Pattern.compile("|" + regex.get().pattern()).matcher("").replaceFirst(replacement);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.of("accepted: a topic name with references to groups of " + RouterOption.TOPIC_REGEX.key
                    + ", which is " + regex.get().pattern() + " (" + e.getMessage() + ")");
        }
        boolean refersToGroup = REFERENCE.matcher(replacement).find();
        boolean legal = fixedPart.length() <= TopicName.MAX_LENGTH
                && fixedPart.chars().allMatch(TopicName::isLegal)
                && (refersToGroup || TopicName.isLegal(fixedPart));
        return legal ? Optional.empty() : Optional.of("accepted: what makes " + TopicName.RULE);
    }

    private static Optional<String> inAllowList(Map<String, Object> values) {
        Optional<Topics> topics = topics(values);
        if (topics.isPresent()) {
            for (String type : allowed(values)) {
                if (topics.get().of(type) instanceof Topics.Refused refused) {
                    return Optional.of("aggregate type '" + type + "' can never be an event: " + refused.why());
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> inDeadLetterTopic(Map<String, Object> values) {
        String deadLetters = text(values, RouterOption.DEAD_LETTER_TOPIC);
        Optional<String> type = topics(values)
                .flatMap(topics -> typeOf(deadLetters, values)
                        .filter(candidate -> topics.topicOf(candidate).equals(Optional.of(deadLetters))));
        return type.map(
                found -> "events of aggregate type '" + found + "' would be routed to it; accepted: a topic that "
                        + RouterOption.TOPIC_REPLACEMENT.key + " cannot make");
    }

    /** The aggregate type whose topic would be this one, as far as the fixed text around a single group tells. */
    private static Optional<String> typeOf(String topic, Map<String, Object> values) {
        String replacement = text(values, RouterOption.TOPIC_REPLACEMENT);
        Matcher reference = REFERENCE.matcher(replacement);
        if (!reference.find()) {
            return Optional.of("any").filter(any -> replacement.equals(topic));
        }
        String before = replacement.substring(0, reference.start());
        String after = replacement.substring(reference.end());
        // Where the type alone is the topic, every name is some type's; then only the allow list or the row can tell.
        boolean alone = before.isEmpty() && after.isEmpty();
        boolean fits =
                topic.length() > before.length() + after.length() && topic.startsWith(before) && topic.endsWith(after);
        if (alone || reference.find() || !fits) {
            return Optional.empty();
        }
        String type = topic.substring(before.length(), topic.length() - after.length());
        Set<String> allowed = allowed(values);
        return Optional.of(type).filter(found -> allowed.isEmpty() || allowed.contains(found));
    }

    private static Optional<String> inEventTypeHeader(Map<String, Object> values) {
        return reserved(text(values, RouterOption.EVENT_TYPE_HEADER), values);
    }

    private static Optional<String> reserved(String header, Map<String, Object> values) {
        return Boolean.TRUE.equals(values.get(RouterOption.CLOUDEVENTS.key)) && CloudEvents.isReserved(header)
                ? Optional.of("header '" + header + "' belongs to " + RouterOption.CLOUDEVENTS.key
                        + "; accepted: a name that is not content-type and does not begin with " + CloudEvents.PREFIX)
                : Optional.empty();
    }

    private static Optional<String> inPlacements(Map<String, Object> values) {
        Object placements = values.get(RouterOption.PLACEMENTS.key);
        if (placements == null) {
            return Optional.empty();
        }
        Set<String> headers = new HashSet<>();
        Set<String> fields = new HashSet<>();
        Object typeHeader = values.get(RouterOption.EVENT_TYPE_HEADER.key);
        if (typeHeader != null) {
            headers.add((String) typeHeader);
        }
        for (Placement placement :
                Check.entries(placements).stream().map(Placement::parse).toList()) {
            if (placement.isHeader() && !headers.add(placement.name())) {
                return Optional.of("header '" + placement.name() + "' is named twice, here or in "
                        + RouterOption.EVENT_TYPE_HEADER.key + "; accepted: each header once");
            }
            Optional<String> reserved = placement.isHeader() ? reserved(placement.name(), values) : Optional.empty();
            if (reserved.isPresent()) {
                return reserved;
            }
            if (placement.target() == Placement.Target.ENVELOPE && !fields.add(placement.name())) {
                return Optional.of(
                        "field '" + placement.name() + "' of the envelope is named twice; accepted: each field once");
            }
        }
        return Optional.empty();
    }

    private static Optional<Topics> topics(Map<String, Object> values) {
        if (inReplacement(values).isPresent()) {
            return Optional.empty();
        }
        return regexOf(values)
                .map(regex ->
                        new Topics(regex, text(values, RouterOption.TOPIC_REPLACEMENT), Set.of(), deadLetters(values)));
    }

    private static Optional<Pattern> regexOf(Map<String, Object> values) {
        try {
            return Optional.ofNullable(values.get(RouterOption.TOPIC_REGEX.key))
                    .map(regex -> Pattern.compile((String) regex));
        } catch (PatternSyntaxException e) {
            return Optional.empty();
        }
    }

    private static String deadLetters(Map<String, Object> values) {
        return text(values, RouterOption.DEAD_LETTER_TOPIC);
    }

    private static Set<String> allowed(Map<String, Object> values) {
        Object allowed = values.get(RouterOption.ALLOW_LIST.key);
        return allowed == null ? Set.of() : Set.copyOf(Check.entries(allowed));
    }

    private static String text(Map<String, Object> values, RouterOption option) {
        Object value = values.get(option.key);
        return value == null ? "" : (String) value;
    }
}
