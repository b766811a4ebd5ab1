package io.outboxcdc.cli.demo;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Reads every event topic and the dead-letter topic from the start, as a {@code read_committed} consumer does.
 *
 * <p>It looks for new topics itself and assigns their partitions, since a consumer group would first rebalance for
 * each new topic, which a person who waits for the first event would feel. One thread of its own calls the listener.
 */
public final class EventReader implements AutoCloseable {

    private static final Pattern TOPICS = Pattern.compile("outbox\\.event\\..+|outbox\\.dead-letter");
    private static final Duration TOPIC_REFRESH = Duration.ofMillis(200);
    private static final Duration POLL = Duration.ofMillis(100);
    /** A broker that is away for a while is waited for. */
    private static final Duration BROKER_OUTAGE = Duration.ofMinutes(10);

    private static final String REASON_HEADER = "outbox.error.reason";

    private final KafkaConsumer<String, String> consumer;
    private final Consumer<ArrivedEvent> listener;
    private final Thread thread = new Thread(this::run, "event-reader");
    private final AtomicReference<@Nullable CompletableFuture<Void>> catchUp = new AtomicReference<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private long topicsReadAt;

    private EventReader(KafkaConsumer<String, String> consumer, Consumer<ArrivedEvent> listener) {
        this.consumer = consumer;
        this.listener = listener;
    }

    /**
     * Starts to read.
     *
     * @param listener called for each record, in the order of its partition, on the reader's thread
     */
    public static EventReader start(String bootstrapServers, Consumer<ArrivedEvent> listener) {
        Properties properties = new Properties();
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) BROKER_OUTAGE.toMillis());
        EventReader reader = new EventReader(
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer()), listener);
        reader.thread.start();
        return reader;
    }

    /**
     * Waits until every record that was committed to the topics before this call has been handed to the listener.
     *
     * @return false when that took longer than the given time
     */
    public boolean awaitCaughtUp(Duration atMost) throws InterruptedException {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        catchUp.set(reached);
        try {
            CompletableFuture.anyOf(reached, ended).get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return reached.isDone();
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The reader of the event topics stopped.", e.getCause());
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        ended.handle((done, failure) -> null).join();
    }

    private void run() {
        try (consumer) {
            while (true) {
                assignNewPartitions();
                readOnce();
                CompletableFuture<Void> wanted = catchUp.get();
                if (wanted != null && reachedTheEnd()) {
                    wanted.complete(null);
                    catchUp.compareAndSet(wanted, null);
                }
            }
        } catch (WakeupException e) {
            ended.complete(null);
        } catch (RuntimeException e) {
            ended.completeExceptionally(e);
        }
    }

    private void readOnce() {
        if (consumer.assignment().isEmpty()) {
            // An unassigned consumer's poll throws; asking for topics again is the wait.
            topicsReadAt = 0;
            return;
        }
        ConsumerRecords<String, String> records = consumer.poll(POLL);
        long received = System.nanoTime();
        for (ConsumerRecord<String, String> record : records) {
            listener.accept(arrived(record, received));
        }
    }

    private void assignNewPartitions() {
        long now = System.nanoTime();
        if (topicsReadAt != 0 && now - topicsReadAt < TOPIC_REFRESH.toNanos()) {
            return;
        }
        topicsReadAt = now;
        List<TopicPartition> found = new ArrayList<>();
        for (Map.Entry<String, List<PartitionInfo>> topic :
                consumer.listTopics().entrySet()) {
            if (TOPICS.matcher(topic.getKey()).matches()) {
                topic.getValue()
                        .forEach(partition -> found.add(new TopicPartition(topic.getKey(), partition.partition())));
            }
        }
        if (found.size() > consumer.assignment().size()) {
            consumer.assign(found);
        }
    }

    private boolean reachedTheEnd() {
        topicsReadAt = 0;
        assignNewPartitions();
        return consumer.endOffsets(consumer.assignment()).entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static ArrivedEvent arrived(ConsumerRecord<String, String> record, long received) {
        return new ArrivedEvent(
                record.topic(),
                record.partition(),
                header(record, "id").flatMap(EventReader::uuid),
                Optional.ofNullable(record.key()),
                header(record, "eventType"),
                header(record, REASON_HEADER),
                received);
    }

    private static Optional<String> header(ConsumerRecord<String, String> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null
                ? Optional.empty()
                : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
    }

    private static Optional<UUID> uuid(String text) {
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
