package io.outboxcdc.client.inbox;

import java.util.Optional;

/** The way out for dead letters, when there is one. */
final class Outlet implements DeadLetters, AutoCloseable {

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

    @Override
    public void send(InboxMessage message, int attempts) throws Exception {
        letters.orElseThrow(() -> new IllegalStateException("There is no dead-letter topic."))
                .send(message, attempts);
    }

    @Override
    public void close() {
        letters.ifPresent(KafkaDeadLetters::close);
    }
}
