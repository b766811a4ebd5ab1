package io.outboxcdc.relay.publish;

import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

import java.util.List;

/** Tells what Kafka has against one record from what it has against the producer, or what only the moment is to blame for. */
public final class Refusals {

    private static final List<Class<? extends ApiException>> OF_THE_PRODUCER = List.of(
            ProducerFencedException.class,
            InvalidProducerEpochException.class,
            InvalidPidMappingException.class,
            InvalidTxnStateException.class,
            OutOfOrderSequenceException.class,
            TransactionAbortedException.class,
            TransactionAbortableException.class,
            AuthenticationException.class,
            UnsupportedVersionException.class);

    private Refusals() {}

    /** Whether it is this record that Kafka does not take, such as one that is too large for its topic. */
    static boolean isOfRecord(Throwable failure) {
        if (failure instanceof SerializationException || failure instanceof TopicAuthorizationException) {
            return true;
        }
        return failure instanceof ApiException
                && !(failure instanceof RetriableException)
                && !(failure instanceof AuthorizationException)
                && OF_THE_PRODUCER.stream().noneMatch(type -> type.isInstance(failure));
    }

    /**
     * Whether it is surely this record that is refused. Records to one partition travel together, and when one is too
     * large for its topic, all of them are refused.
     */
    public static boolean isOfRecordAlone(Throwable failure) {
        return failure instanceof TopicAuthorizationException || failure instanceof InvalidTopicException;
    }
}
