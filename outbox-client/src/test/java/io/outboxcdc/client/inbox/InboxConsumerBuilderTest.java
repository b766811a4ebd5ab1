package io.outboxcdc.client.inbox;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.Map;
import javax.sql.DataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What would break: a setting that makes the promise void and shows only after a crash. */
class InboxConsumerBuilderTest {

    /** Never asked: building connects nothing. */
    private static final DataSource UNUSED = (DataSource) Proxy.newProxyInstance(
            DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    private static InboxConsumerBuilder builder() {
        return InboxConsumer.builder("billing", UNUSED, (connection, message) -> {});
    }

    @Test
    void allProblemsComeAtOnce() {
        assertThatThrownBy(() -> builder()
                        .kafka(Map.of(
                                "enable.auto.commit", true,
                                "isolation.level", "read_uncommitted",
                                "value.deserializer", "x"))
                        .workers(0)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Consumer billing cannot be built")
                .hasMessageContaining("bootstrap.servers is missing")
                .hasMessageContaining("enable.auto.commit is true; it must be false")
                .hasMessageContaining("isolation.level is read_uncommitted; it must be read_committed")
                .hasMessageContaining("value.deserializer is given")
                .hasMessageContaining("there are no topics")
                .hasMessageContaining("there are 0 workers");
    }

    @Test
    void deadLettersDoNotComeBack() {
        assertThatThrownBy(() -> builder()
                        .kafka("bootstrap.servers", "localhost:1")
                        .topics("orders", "dead")
                        .retry(RetryPolicy.forever().deadLetterAfter(3, "dead"))
                        .build())
                .hasMessageContaining("the dead-letter topic dead is one of those that are read");
    }

    @Test
    void aNewGroupBeginsAtTheOldestRecordUnlessTheApplicationSaysOtherwise() {
        assertThat(ConsumerSettings.forConsumer(Map.of(), "billing"))
                .containsEntry("group.id", "billing")
                .containsEntry("auto.offset.reset", "earliest")
                .containsEntry("enable.auto.commit", "false")
                .containsEntry("isolation.level", "read_committed");
        assertThat(ConsumerSettings.forConsumer(Map.of("group.id", "g", "auto.offset.reset", "none"), "billing"))
                .containsEntry("group.id", "g")
                .containsEntry("auto.offset.reset", "none");
    }

    @Test
    void deadLettersAreSentSafelyAndByTheSameWay() {
        assertThat(ConsumerSettings.forProducer(Map.of("bootstrap.servers", "b", "group.id", "g", "acks", "0")))
                .containsEntry("bootstrap.servers", "b")
                .containsEntry("acks", "all")
                .doesNotContainKey("group.id");
    }

    @Test
    void aConsumerNeedsAName() {
        assertThatThrownBy(() -> Inbox.of(" ")).hasMessageContaining("The consumer has no name");
    }
}
