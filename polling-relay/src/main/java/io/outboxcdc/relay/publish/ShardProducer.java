package io.outboxcdc.relay.publish;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Publishes the batches of one shard, each in one transaction together with its note. Making one fences whoever had the
 * shard before, and ends what that one left open. Not thread-safe.
 */
final class ShardProducer implements AutoCloseable {

    /** Each waits for {@code max.block.ms}; after that the shard is begun anew, and the note tells what became of it. */
    private static final int COMMIT_TRIES = 3;

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final KafkaProducer<byte[], byte[]> producer;

    /**
     * Begins.
     *
     * @throws KafkaException if Kafka does not answer or does not let us
     */
    ShardProducer(Map<String, Object> settings) {
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            producer.initTransactions();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Publishes all of the records and the offset, or none.
     *
     * @return what Kafka has against which record, by its place; empty when everything is committed
     * @throws KafkaException if it failed for another reason; whether it is committed is then not known
     */
    Map<Integer, Exception> publish(
            List<ProducerRecord<byte[], byte[]>> records,
            Map<TopicPartition, OffsetAndMetadata> offset,
            ConsumerGroupMetadata group) {
        List<Future<RecordMetadata>> sent = new ArrayList<>(records.size());
        try {
            producer.beginTransaction();
            for (ProducerRecord<byte[], byte[]> record : records) {
                sent.add(producer.send(record));
            }
            // Before the commit is asked for: see docs/decisions/0007 on commits that overtake records.
            producer.flush();
            if (refusals(sent).isEmpty()) {
                producer.sendOffsetsToTransaction(offset, group);
                commit();
                return Map.of();
            }
        } catch (ProducerFencedException | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            abort(e);
            Map<Integer, Exception> refusals = refusals(sent);
            if (refusals.isEmpty()) {
                throw e;
            }
            return refusals;
        }
        producer.abortTransaction();
        return refusals(sent);
    }

    /** A commit whose answer did not come is asked for again, which Kafka allows. */
    private void commit() {
        for (int tries = 1; ; tries++) {
            try {
                producer.commitTransaction();
                return;
            } catch (TimeoutException e) {
                if (tries == COMMIT_TRIES) {
                    throw new UncertainCommitException(e);
                }
            }
        }
    }

    private void abort(KafkaException cause) {
        if (cause instanceof UncertainCommitException) {
            throw cause;
        }
        try {
            producer.abortTransaction();
        } catch (KafkaException e) {
            cause.addSuppressed(e);
            throw cause;
        }
    }

    /** Those that are done and were not taken; every record is done once the transaction is flushed or aborted. */
    private static Map<Integer, Exception> refusals(List<Future<RecordMetadata>> sent) {
        Map<Integer, Exception> refusals = new TreeMap<>();
        for (int i = 0; i < sent.size(); i++) {
            try {
                sent.get(i).get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause && Refusals.isOfRecord(cause)) {
                    refusals.put(i, cause);
                }
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
        return refusals;
    }

    @Override
    public void close() {
        producer.close(CLOSE);
    }

    /** Nobody may guess: the note has to be asked. */
    private static final class UncertainCommitException extends KafkaException {

        private static final long serialVersionUID = 1;

        UncertainCommitException(TimeoutException cause) {
            super("Kafka did not say whether a transaction was committed: " + cause.getMessage(), cause);
        }
    }
}
