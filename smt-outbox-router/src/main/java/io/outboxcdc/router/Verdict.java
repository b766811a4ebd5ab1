package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** What is to be done about a new row of the outbox. */
sealed interface Verdict {

    /**
     * Send a new record in the place of the one that came.
     *
     * @param headers        to be set, each name once; other headers of the record stay
     * @param replacedTime   whether the row's time was one that Kafka would refuse
     * @param droppedHeaders how many of the row's headers were left out for their names
     * @param invalidTrace   whether the row's trace was left out
     */
    record Publish(
            String topic,
            @Nullable Integer partition,
            Schema keySchema,
            Object key,
            @Nullable Schema valueSchema,
            @Nullable Object value,
            @Nullable Long timestamp,
            Headers headers,
            boolean replacedTime,
            int droppedHeaders,
            boolean invalidTrace)
            implements Verdict {}

    /**
     * The row makes no legal event.
     *
     * @param column the column at fault; empty when it is the record as a whole
     * @param why    a sentence's part that names no value
     */
    record DeadLetter(OutboxEvent event, DeadLetterReason reason, Optional<String> column, String why)
            implements Verdict {}
}
