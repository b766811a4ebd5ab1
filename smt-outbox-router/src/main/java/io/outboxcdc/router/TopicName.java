package io.outboxcdc.router;

/** Kafka's rule for topic names, as in {@code org.apache.kafka.common.internals.Topic}, which is not public API. */
final class TopicName {

    static final int MAX_LENGTH = 249;
    static final String RULE = "a topic name: 1 to 249 of the characters a-z A-Z 0-9 . _ -, and not . or ..";

    private TopicName() {}

    static boolean isLegal(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_LENGTH
                && !isDots(name)
                && name.chars().allMatch(TopicName::isLegal);
    }

    static boolean isDots(String name) {
        return name.equals(".") || name.equals("..");
    }

    static boolean isLegal(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || character == '.'
                || character == '_'
                || character == '-';
    }
}
