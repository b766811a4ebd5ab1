package io.outboxcdc.client.inbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** Describes an {@link InboxConsumer}. Not thread-safe. */
public final class InboxConsumerBuilder {

    final Inbox inbox;
    final DataSource dataSource;
    final MessageHandler handler;
    final Map<String, Object> kafka = new LinkedHashMap<>();
    final Set<String> topics = new LinkedHashSet<>();
    RetryPolicy retry = RetryPolicy.forever();
    int workers = 1;
    boolean storeFirst;

    InboxConsumerBuilder(String consumer, DataSource dataSource, MessageHandler handler) {
        this.inbox = Inbox.of(consumer);
        this.dataSource = dataSource;
        this.handler = handler;
    }

    /** The topics to read. */
    public InboxConsumerBuilder topics(String... names) {
        topics.addAll(List.of(names));
        return this;
    }

    /** A setting of Kafka's consumer, such as {@code bootstrap.servers}; what fits goes to the dead letters' producer too. */
    public InboxConsumerBuilder kafka(String name, Object value) {
        kafka.put(name, value);
        return this;
    }

    /** Settings of Kafka's consumer, as above. */
    public InboxConsumerBuilder kafka(Map<String, ?> settings) {
        kafka.putAll(settings);
        return this;
    }

    /** How a message is tried again; {@link RetryPolicy#forever()} if not said. */
    public InboxConsumerBuilder retry(RetryPolicy policy) {
        retry = policy;
        return this;
    }

    /**
     * Store, then process: every message goes into {@code inbox_message} first and the workers handle it from there. For
     * handlers that are slow, so that they neither hold back the poll nor are limited by the number of partitions.
     */
    public InboxConsumerBuilder storeFirst() {
        storeFirst = true;
        return this;
    }

    /** How many threads work on stored messages; 1 if not said. */
    public InboxConsumerBuilder workers(int number) {
        workers = number;
        return this;
    }

    /**
     * The consumer as described; nothing is connected before it runs.
     *
     * @throws IllegalArgumentException with everything that is wrong
     */
    public InboxConsumer build() {
        List<String> problems = new ArrayList<>(ConsumerSettings.problems(kafka));
        if (topics.isEmpty()) {
            problems.add("there are no topics");
        }
        if (workers < 1) {
            problems.add("there are " + workers + " workers; messages that failed would never be tried again");
        }
        retry.deadLetterTopic()
                .filter(topics::contains)
                .ifPresent(topic -> problems.add("the dead-letter topic " + topic + " is one of those that are read"));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "Consumer " + inbox.consumer() + " cannot be built: " + String.join("; ", problems) + ".");
        }
        return new InboxConsumer(this);
    }
}
