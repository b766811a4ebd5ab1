package io.outboxcdc.cli.verify;

import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** What would break: events that were delivered and dropped by age would be called lost. */
class RetentionTest {

    private static final TopicPartition PARTITION = new TopicPartition("outbox.event.order", 0);
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Duration CLOCKS = Duration.ofHours(1);
    private static final Duration WEEK = Duration.ofDays(7);

    @Test
    void aPartitionThatBeginsAtItsFirstRecordHoldsAll() {
        assertThat(Retention.of(PARTITION, false, NOW, config("delete", "-1"), NOW))
                .isEqualTo(Retention.OF_ALL);
    }

    @Test
    void whereRecordsAreDroppedByAgeOnlyOldRowsAreInDoubtHoweverLateTheNextRecordCame() {
        assertThat(Retention.of(PARTITION, true, NOW, config("delete", "-1"), NOW)
                        .droppedUntil())
                .hasValue(NOW.minus(WEEK).plus(CLOCKS));
    }

    @Test
    void whereRecordsAreDroppedBySizeOrTheSettingsAreNotKnownRowsBeforeTheFirstRecordAreInDoubt() {
        Instant first = NOW.minusSeconds(60);

        assertThat(Retention.of(PARTITION, true, first, config("delete", "1000"), NOW)
                        .droppedUntil())
                .hasValue(first.plus(CLOCKS));
        assertThat(Retention.of(PARTITION, true, first, null, NOW).droppedUntil())
                .hasValue(first.plus(CLOCKS));
    }

    @Test
    void inACompactedTopicEveryRowIsInDoubt() {
        Retention retention = Retention.of(PARTITION, false, NOW, config("compact,delete", "-1"), NOW);

        assertThat(retention.droppedUntil()).hasValue(NOW);
        assertThat(retention.reason()).contains("outbox.event.order", "compacted");
    }

    private static Config config(String policy, String bytes) {
        return new Config(List.of(
                new ConfigEntry("cleanup.policy", policy),
                new ConfigEntry("retention.bytes", bytes),
                new ConfigEntry("retention.ms", Long.toString(WEEK.toMillis()))));
    }
}
