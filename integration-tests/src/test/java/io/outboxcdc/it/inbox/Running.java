package io.outboxcdc.it.inbox;

import io.outboxcdc.client.inbox.InboxConsumer;
import io.outboxcdc.client.inbox.InboxConsumerBuilder;
import io.outboxcdc.client.inbox.InboxCounts;
import io.outboxcdc.client.inbox.MessageHandler;

import java.util.function.UnaryOperator;

/** A consumer on a thread of its own. */
final class Running implements AutoCloseable {

    private final InboxConsumer consumer;
    private final Thread thread;

    private Running(InboxConsumer consumer) {
        this.consumer = consumer;
        this.thread = new Thread(consumer, "consumer under test");
        thread.start();
    }

    static Running start(
            InboxStack stack,
            String name,
            String topic,
            MessageHandler handler,
            UnaryOperator<InboxConsumerBuilder> more) {
        InboxConsumerBuilder builder = InboxConsumer.builder(name, stack.pool(), handler)
                .kafka("bootstrap.servers", stack.bootstrapServers())
                .kafka("session.timeout.ms", "6000")
                .topics(topic);
        return new Running(more.apply(builder).build());
    }

    InboxCounts counts() {
        return consumer.counts();
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
