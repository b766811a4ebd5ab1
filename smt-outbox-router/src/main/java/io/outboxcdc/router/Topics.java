package io.outboxcdc.router;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The topic of an aggregate type. Pure and thread-safe; remembers what it has worked out, since aggregate types are few.
 */
final class Topics {

    /** No regular expression is run on longer ones: no topic comes of them, and matching may take long. */
    private static final int LONGEST_TYPE = 1_000;

    private static final int TYPES_KEPT = 1_000;

    /** Far more topics than a cluster's aggregate types make; beyond, colliding names are no longer looked for. */
    private static final int TOPICS_KEPT = 10_000;

    /** What comes of an aggregate type. */
    sealed interface Route {}

    record To(String topic) implements Route {}

    record Refused(DeadLetterReason reason, String why) implements Route {}

    private final Pattern regex;
    private final String replacement;
    private final Set<String> allowed;
    private final String deadLetterTopic;
    private final BoundedCache<String, Route> known = new BoundedCache<>(TYPES_KEPT);
    // Made once: each event comes by.
    private final Function<String, Route> resolve = this::resolve;
    private final Map<String, String> topicsByCollidingName = new ConcurrentHashMap<>();

    /**
     * @param regex           what the whole aggregate type must match
     * @param replacement     the topic, as {@link Matcher#replaceFirst(String)} reads it
     * @param allowed         the aggregate types that are events; empty for all
     * @param deadLetterTopic the one topic that no event may go to
     */
    Topics(Pattern regex, String replacement, Set<String> allowed, String deadLetterTopic) {
        this.regex = regex;
        this.replacement = replacement;
        this.allowed = Set.copyOf(allowed);
        this.deadLetterTopic = deadLetterTopic;
        topicsByCollidingName.put(collidingName(deadLetterTopic), deadLetterTopic);
    }

    Route of(String aggregateType) {
        if (aggregateType.length() > LONGEST_TYPE) {
            return new Refused(
                    DeadLetterReason.TOPIC_ILLEGAL,
                    "the aggregate type has " + aggregateType.length() + " characters, too many for a topic");
        }
        return known.get(aggregateType, resolve);
    }

    private Route resolve(String aggregateType) {
        if (aggregateType.isBlank()) {
            return new Refused(DeadLetterReason.TYPE_MISSING, "the aggregate type is blank");
        }
        if (TopicName.isDots(aggregateType)) {
            return new Refused(DeadLetterReason.TOPIC_ILLEGAL, "the aggregate type is made of dots only");
        }
        if (!allowed.isEmpty() && !allowed.contains(aggregateType)) {
            return new Refused(
                    DeadLetterReason.TYPE_NOT_ALLOWED, "the aggregate type is not in " + RouterOption.ALLOW_LIST.key);
        }
        Optional<String> topic = topicOf(aggregateType);
        if (topic.isEmpty()) {
            return new Refused(
                    DeadLetterReason.TYPE_NOT_MATCHED,
                    "the aggregate type does not match " + RouterOption.TOPIC_REGEX.key);
        }
        if (!TopicName.isLegal(topic.get())) {
            return new Refused(
                    DeadLetterReason.TOPIC_ILLEGAL, "the topic made of the aggregate type is not " + TopicName.RULE);
        }
        if (topic.get().equals(deadLetterTopic)) {
            return new Refused(
                    DeadLetterReason.TOPIC_RESERVED, "the topic made of the aggregate type is the dead-letter topic");
        }
        Optional<String> colliding = collidesWith(topic.get());
        if (colliding.isPresent()) {
            return new Refused(
                    DeadLetterReason.TOPIC_COLLIDES,
                    "the topic made of the aggregate type and " + colliding.get() + " differ only by '.' and '_'");
        }
        return new To(topic.get());
    }

    /** The broker refuses to make such a topic, and the task would fail: the names are one in its metrics. */
    private Optional<String> collidesWith(String topic) {
        String name = collidingName(topic);
        String first = topicsByCollidingName.get(name);
        if (first == null && topicsByCollidingName.size() < TOPICS_KEPT) {
            first = topicsByCollidingName.putIfAbsent(name, topic);
        }
        return Optional.ofNullable(first).filter(other -> !other.equals(topic));
    }

    /** As {@code org.apache.kafka.common.internals.Topic} compares names. */
    private static String collidingName(String topic) {
        return topic.replace('.', '_');
    }

    /** As Kafka's RegexRouter does it, but empty where the type does not match. */
    Optional<String> topicOf(String aggregateType) {
        Matcher matcher = regex.matcher(aggregateType);
        return matcher.matches() ? Optional.of(matcher.replaceFirst(replacement)) : Optional.empty();
    }

    int remembered() {
        return known.size();
    }
}
