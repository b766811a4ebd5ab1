package io.outboxcdc.client.inbox;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Sends dead letters: the record as it was, and headers that say why and from where. A crash after the broker has it and
 * before the database forgets it sends it again, under the same id.
 */
final class KafkaDeadLetters implements AutoCloseable {

    private final String topic;
    private final String consumer;
    private final Producer<byte[], byte[]> producer;

    KafkaDeadLetters(String topic, String consumer, Map<String, Object> producerSettings) {
        this.topic = topic;
        this.consumer = consumer;
        this.producer = new KafkaProducer<>(producerSettings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    void send(InboxMessage message, int attempts) throws InterruptedException, ExecutionException {
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topic, message.key(), message.value());
        message.headers().forEach(header -> letter.headers().add(header.name(), header.value()));
        letter.headers()
                .add("outbox.error.reason", utf8("HANDLER_FAILED"))
                .add(
                        "outbox.error.message",
                        utf8("The handler of consumer " + consumer + " has thrown at " + attempts + " attempts."))
                .add("outbox.source.place", utf8(message.place()));
        producer.send(letter).get();
    }

    @Override
    public void close() {
        producer.close();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
