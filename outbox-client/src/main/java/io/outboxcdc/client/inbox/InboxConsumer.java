package io.outboxcdc.client.inbox;

import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Reads topics and makes the effect of each message once. Offsets are committed after the database has committed, so a crash
 * brings repeats, and the inbox knows them. A message whose handler throws goes into {@code inbox_message} and is tried
 * again from there, with those of its key in their order behind it; the offset moves on and other keys flow. While the
 * database does not answer, nothing is read and no offset moves.
 *
 * <p>{@link #run()} works until {@link #close()}, on the caller's thread:
 *
 * <pre>{@code
 * InboxConsumer consumer = InboxConsumer.builder("billing", dataSource, handler)
 *         .kafka("bootstrap.servers", "kafka:9092")
 *         .topics("outbox.event.order")
 *         .build();
 * new Thread(consumer, "billing").start();
 * }</pre>
 *
 * <p>Needs one connection of the data source at a time, and one more for each worker. Several instances, in as many
 * processes as one likes, share the work as a consumer group does.
 */
public final class InboxConsumer implements Runnable, AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private final InboxConsumerBuilder settings;
    private final Counters counters = new Counters();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    InboxConsumer(InboxConsumerBuilder settings) {
        this.settings = settings;
    }

    /**
     * Begins the description of a consumer.
     *
     * @param consumer the name that messages are claimed under, and the group id if none is given; keep it
     * @param dataSource of the database that has the inbox and gets the effects; the role needs {@code inbox_consumer}
     */
    public static InboxConsumerBuilder builder(String consumer, DataSource dataSource, MessageHandler handler) {
        return new InboxConsumerBuilder(consumer, dataSource, handler);
    }

    /** What was done until now. */
    public InboxCounts counts() {
        return counters.counts();
    }

    /**
     * Works until {@link #close()} or an interrupt; may be called once.
     *
     * @throws org.apache.kafka.common.KafkaException when Kafka refuses for good: no such group, no right, no offset
     */
    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            throw new IllegalStateException("This consumer has run before. Build another one.");
        }
        RetryPolicy retry = settings.retry;
        MessageStore store = new MessageStore(settings.inbox.consumer(), retry);
        Intake intake =
                new Intake(settings.dataSource, settings.inbox, store, settings.handler, settings.storeFirst, counters);
        try (Outlet outlet = Outlet.of(settings);
                KafkaConsumer<byte[], byte[]> kafka = new KafkaConsumer<>(
                        ConsumerSettings.forConsumer(settings.kafka, settings.inbox.consumer()),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
                Workers workers = Workers.start(
                        settings.workers,
                        settings.inbox.consumer(),
                        new InboxProcessor(
                                settings.dataSource,
                                settings.inbox.consumer(),
                                store,
                                retry,
                                settings.handler,
                                outlet,
                                counters),
                        counters)) {
            kafka.subscribe(settings.topics);
            consume(new Partitions(kafka, settings.inbox.consumer()), intake, workers);
        } catch (InterruptException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    private void consume(Partitions partitions, Intake intake, Workers workers) {
        Backoff backoff = new Backoff();
        Records reader = new Records(counters);
        while (stopping.getCount() > 0) {
            workers.requireAlive();
            ConsumerRecords<byte[], byte[]> records = partitions.poll(POLL, backoff.isWaiting());
            if (records.isEmpty()) {
                continue;
            }
            try {
                List<InboxMessage> messages = reader.messages(records);
                if (intake.take(messages)) {
                    workers.wake();
                }
                backoff.reset();
            } catch (SQLException | RuntimeException e) {
                counters.databaseTroubles.increment();
                Failures.logTrouble(settings.inbox.consumer(), backoff.begin(), e);
                partitions.rewind(records);
                continue;
            }
            partitions.commit(records);
        }
    }

    /** Ends {@link #run()} after the messages at hand, and returns when it has ended; 30 s at most. */
    @Override
    public void close() {
        stopping.countDown();
        if (!begun.get()) {
            return;
        }
        try {
            if (!ended.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Consumer " + settings.inbox.consumer()
                        + " is still in a handler after 30 s. It ends when the handler returns.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
