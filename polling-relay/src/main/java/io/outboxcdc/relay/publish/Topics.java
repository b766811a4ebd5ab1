package io.outboxcdc.relay.publish;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

import static java.util.Objects.requireNonNull;

/**
 * The topics that events go to, made as the shipped connector's {@code topic.creation.*} makes them. A topic that is not
 * there is found out here, since the producer would wait a minute for it. Thread-safe.
 */
public final class Topics {

    private static final Map<String, String> KEPT_FOR_EVER = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG, "-1",
            TopicConfig.RETENTION_BYTES_CONFIG, "-1");

    private final Admin admin;
    private final boolean create;
    private final Map<String, NewTopic> special;
    private final Map<String, Integer> partitions = new ConcurrentHashMap<>();

    /**
     * Asks over this client.
     *
     * @param create     whether topics are made that are not there
     * @param deadLetter the topic of dead letters: one partition, kept for ever
     * @param position   the topic that notes of batches belong to: one partition, always empty
     */
    public Topics(Admin admin, boolean create, String deadLetter, String position) {
        this.admin = admin;
        this.create = create;
        this.special = Map.of(
                deadLetter,
                new NewTopic(deadLetter, Optional.of(1), Optional.empty()).configs(KEPT_FOR_EVER),
                position,
                new NewTopic(position, Optional.of(1), Optional.empty()));
    }

    /**
     * Sees to it that a topic is there.
     *
     * @param partition the one that is wanted, if a certain one is
     * @return what is against it; empty when the record can be sent
     * @throws KafkaException if Kafka does not answer
     */
    public Optional<String> problem(String topic, @Nullable Integer partition) {
        Integer known = partitions.get(topic);
        if (known == null || (partition != null && partition >= known)) {
            Optional<String> problem = look(topic);
            if (problem.isPresent()) {
                return problem;
            }
            known = partitions.get(topic);
        }
        return partition == null || (known != null && partition < known)
                ? Optional.empty()
                : Optional.of("topic " + topic + " has no partition " + partition);
    }

    private Optional<String> look(String topic) {
        try {
            if (describe(topic)) {
                return Optional.empty();
            }
            if (!create) {
                return Optional.of("topic " + topic + " does not exist, and topics.create is false");
            }
            create(topic);
            return describe(topic) ? Optional.empty() : Optional.of("topic " + topic + " is not there yet");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException retriable) {
                throw retriable;
            }
            return Optional.of("topic " + topic + " cannot be used: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private boolean describe(String topic) throws ExecutionException, InterruptedException {
        try {
            TopicDescription found = requireNonNull(admin.describeTopics(List.of(topic))
                            .topicNameValues()
                            .get(topic))
                    .get();
            partitions.put(topic, found.partitions().size());
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    private void create(String topic) throws ExecutionException, InterruptedException {
        NewTopic wanted = special.getOrDefault(topic, new NewTopic(topic, Optional.empty(), Optional.empty()));
        try {
            admin.createTopics(List.of(wanted)).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }
}
