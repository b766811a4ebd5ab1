package io.outboxcdc.relay.publish;

import io.outboxcdc.relay.core.BatchNote;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Kafka's side of one shard while one instance has it. Making one fences every earlier one, so what the note says after
 * that is final until {@link #publish} is called. Not thread-safe.
 */
public final class Publication implements AutoCloseable {

    private final ShardProducer producer;
    private final TopicPartition position;
    private final ConsumerGroupMetadata group;
    private final Optional<BatchNote> lastNote;

    /**
     * Takes over.
     *
     * @param name     of the relay: the same for all instances of one database, and for no other
     * @param position the topic that notes belong to; it has to exist
     * @throws KafkaException if Kafka does not answer or does not let us
     */
    public Publication(KafkaSettings settings, String name, int shard, String position) {
        String id = name + "-relay-" + shard;
        this.position = new TopicPartition(position, 0);
        this.producer = new ShardProducer(settings.producer(id));
        // Only now: until here a predecessor could still have committed.
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings.consumer(id), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            this.group = consumer.groupMetadata();
            OffsetAndMetadata stored = consumer.committed(Set.of(this.position)).get(this.position);
            this.lastNote =
                    Optional.ofNullable(stored).map(OffsetAndMetadata::metadata).flatMap(BatchNote::parse);
        } catch (RuntimeException e) {
            producer.close();
            throw e;
        }
    }

    /** The note of the last batch that was published before this began. */
    public Optional<BatchNote> lastNote() {
        return lastNote;
    }

    /**
     * Publishes all of the records and the note, or none.
     *
     * @return what Kafka has against which record, by its place; empty when everything is committed
     * @throws KafkaException if it failed for another reason; whether it is committed is then not known
     */
    public Map<Integer, Exception> publish(List<ProducerRecord<byte[], byte[]>> records, BatchNote note) {
        return producer.publish(records, Map.of(position, new OffsetAndMetadata(0, note.text())), group);
    }

    @Override
    public void close() {
        producer.close();
    }
}
