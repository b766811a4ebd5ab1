package io.outboxcdc.it.inbox;

import io.outboxcdc.client.inbox.InboxConsumerBuilder;
import io.outboxcdc.client.inbox.MessageHandler;
import io.outboxcdc.client.inbox.RetryPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A consumer on a topic of its own for each test. */
abstract class ConsumerFixture {

    static final Duration SOON = Duration.ofSeconds(40);
    static final RetryPolicy QUICK = RetryPolicy.forever().withDelays(Duration.ofMillis(50), Duration.ofMillis(200));

    static InboxStack stack;

    /** The topic of a test, and the name of its consumer. */
    String name;

    @SuppressWarnings("NullAway.Init") // before each test
    ConsumerFixture() {}

    @BeforeAll
    static void start() throws SQLException {
        stack = InboxStack.start();
    }

    @AfterAll
    static void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @BeforeEach
    void createTopic(TestInfo test) throws Exception {
        name = test.getTestMethod().orElseThrow().getName();
        stack.createTopic(name, 3);
    }

    Running consume(MessageHandler handler, UnaryOperator<InboxConsumerBuilder> more) {
        return Running.start(stack, name, name, handler, builder -> more.apply(builder.retry(QUICK)));
    }

    Running consume(MessageHandler handler) {
        return consume(handler, builder -> builder);
    }

    void send(int keys, int numbers) {
        for (int n = 1; n <= numbers; n++) {
            for (int key = 0; key < keys; key++) {
                stack.send(name, "k" + key, n);
            }
        }
        stack.flush();
    }

    void awaitEffects(long number) {
        await().atMost(SOON).untilAsserted(() -> assertThat(stack.effects(name)).isEqualTo(number));
    }

    void awaitNoLag() {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(stack.lag(name, name)).isZero());
    }
}
