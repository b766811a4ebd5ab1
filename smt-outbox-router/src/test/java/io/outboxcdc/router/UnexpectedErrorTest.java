package io.outboxcdc.router;

import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A fault of the router itself, met by one row, is that row's dead letter and stops nothing. */
class UnexpectedErrorTest {

    /** Fails the first time it is asked, which is when the first row's time is judged. */
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
        Map<String, String> all = RouterUnderTest.options(options);
        all.put("table.field.event.timestamp", "created_at");
        router.configure(all);
        return router;
    }

    private static SourceRecord aTimedRow() {
        return aRow().with("created_at", "2024-01-02T03:04:05.000000Z").record();
    }

    @Test
    void theRowIsADeadLetterThatSaysWhereAndNotWhatWasQuoted() {
        OutboxRouter<SourceRecord> router = router(new IllegalArgumentException("For input string: s3cret"));

        SourceRecord letter = Objects.requireNonNull(router.apply(aTimedRow()));

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

        assertThat(router.apply(aTimedRow())).extracting(SourceRecord::topic).isEqualTo("outbox.dead-letter");
        assertThat(router.apply(aTimedRow())).extracting(SourceRecord::topic).isEqualTo("outbox.event.Order");
    }

    @Test
    void theTaskStopsWhereThatIsAskedFor() {
        OutboxRouter<SourceRecord> router = router(new IllegalStateException("s3cret"), "on.invalid.event", "fail");

        assertThatThrownBy(() -> router.apply(aTimedRow()))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("UNEXPECTED_ERROR")
                .hasMessageContaining(OutboxRow.ID)
                .hasMessageNotContaining("s3cret");
    }
}
