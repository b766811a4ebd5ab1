package io.outboxcdc.client.inbox;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;

import java.time.Duration;
import java.util.Set;

/**
 * The partitions that a consumer has been given. All is done on one thread, and partitions are taken away within a poll
 * only: at that time everything that was polled is committed in the database.
 */
final class Partitions {

    private final Consumer<byte[], byte[]> kafka;
    private final String consumer;

    Partitions(Consumer<byte[], byte[]> kafka, String consumer) {
        this.kafka = kafka;
        this.consumer = consumer;
    }

    /** While waiting it reads nothing, and stays a member of the group by asking. */
    ConsumerRecords<byte[], byte[]> poll(Duration timeout, boolean waiting) {
        if (waiting) {
            kafka.pause(kafka.assignment());
        } else {
            Set<TopicPartition> paused = kafka.paused();
            if (!paused.isEmpty()) {
                kafka.resume(paused);
            }
        }
        try {
            return kafka.poll(timeout);
        } catch (InterruptException e) {
            throw e;
        } catch (RetriableException e) {
            Failures.logKafka(consumer, "a poll failed and is repeated", e);
            return ConsumerRecords.empty();
        }
    }

    /** The next poll brings these records again, if this is still their consumer. */
    void rewind(ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            kafka.seek(partition, records.records(partition).get(0).offset());
        }
    }

    /**
     * Commits the offsets behind these records. It may fail when the partitions have gone to another consumer, or Kafka is
     * away: then they are delivered again, and known for repeats.
     */
    void commit(ConsumerRecords<byte[], byte[]> records) {
        try {
            kafka.commitSync(records.nextOffsets());
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            Failures.logKafka(consumer, "offsets were not committed, so records will come again as repeats", e);
        }
    }
}
