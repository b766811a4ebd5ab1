package io.outboxcdc.router;

import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A fault of the router itself, met by one row, is that row's dead letter and stops nothing. */
class UnexpectedErrorTest {

    /** Fails the first time it is asked, which is in the middle of judging the first row. */
    private static final class FailingOnce extends Clock {

        private final Throwable failure;
        private boolean failed;

        FailingOnce(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public Instant instant() {
            if (!failed) {
                failed = true;
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) failure;
            }
            return RouterUnderTest.NOW;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private final LocalCounts counts = new LocalCounts();

    private OutboxRouter<SourceRecord> router(Throwable failure, String... options) {
        OutboxRouter<SourceRecord> router = new OutboxRouter<>(new FailingOnce(failure), counts);
        router.configure(RouterUnderTest.options(options));
        return router;
    }

    @Test
    void theRowIsADeadLetterThatSaysWhereAndNotWhatWasQuoted() {
        OutboxRouter<SourceRecord> router = router(new IllegalArgumentException("For input string: s3cret"));

        SourceRecord letter = Objects.requireNonNull(router.apply(aRow().record()));

        assertThat(letter.topic()).isEqualTo("outbox.dead-letter");
        assertThat(RouterUnderTest.header(letter, "outbox.error.reason")).isEqualTo("UNEXPECTED_ERROR");
        assertThat(RouterUnderTest.header(letter, "outbox.error.message"))
                .asString()
                .contains(OutboxRow.ID, "java.lang.IllegalArgumentException at ", "UnexpectedErrorTest.java")
                .doesNotContain("s3cret");
        assertThat(RouterUnderTest.json(letter).get("payload").textValue()).isEqualTo("{\"a\": 1}");
        assertThat(letter.key()).isEqualTo("42");
        assertThat(counts.countOf(DeadLetterReason.UNEXPECTED_ERROR)).isOne();
        assertThat(counts.published.sum()).isZero();
    }

    @Test
    void theNextRowFlows() {
        OutboxRouter<SourceRecord> router = router(new StackOverflowError());

        assertThat(router.apply(aRow().record()))
                .extracting(SourceRecord::topic)
                .isEqualTo("outbox.dead-letter");
        assertThat(router.apply(aRow().record()))
                .extracting(SourceRecord::topic)
                .isEqualTo("outbox.event.Order");
    }

    @Test
    void theTaskStopsWhereThatIsAskedFor() {
        OutboxRouter<SourceRecord> router = router(new IllegalStateException("s3cret"), "on.invalid.event", "fail");

        assertThatThrownBy(() -> router.apply(aRow().record()))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("UNEXPECTED_ERROR")
                .hasMessageContaining(OutboxRow.ID)
                .hasMessageNotContaining("s3cret");
    }
}
