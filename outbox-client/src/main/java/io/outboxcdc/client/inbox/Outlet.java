package io.outboxcdc.client.inbox;

import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** The way out for messages that are given up, when there is one. */
final class Outlet implements AutoCloseable {

    private final Optional<KafkaDeadLetters> letters;

    private Outlet(Optional<KafkaDeadLetters> letters) {
        this.letters = letters;
    }

    static Outlet of(InboxConsumerBuilder settings) {
        return new Outlet(settings.retry
                .deadLetterTopic()
                .map(topic -> new KafkaDeadLetters(
                        topic, settings.inbox.consumer(), ConsumerSettings.forProducer(settings.kafka))));
    }

    /**
     * Sends a message and returns when it is safe.
     *
     * @param attempts how often it was tried
     * @throws ExecutionException when it could not be sent; it is kept and tried again
     */
    void send(InboxMessage message, int attempts) throws InterruptedException, ExecutionException {
        letters.orElseThrow(() -> new IllegalStateException("There is no dead-letter topic."))
                .send(message, attempts);
    }

    @Override
    public void close() {
        letters.ifPresent(KafkaDeadLetters::close);
    }
}
