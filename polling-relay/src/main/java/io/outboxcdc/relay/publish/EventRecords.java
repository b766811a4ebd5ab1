package io.outboxcdc.relay.publish;

import io.outboxcdc.relay.change.ChangeRecords;
import io.outboxcdc.relay.core.EventRow;
import io.outboxcdc.router.OutboxConverter;
import io.outboxcdc.router.OutboxRouter;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.StringConverter;

import java.time.Instant;
import java.util.Map;

/**
 * Events as Kafka gets them: by the router and the converters that the shipped connector has, so that both ways publish
 * the same. Thread-safe.
 */
public final class EventRecords {

    /** The header that the router gives to dead letters. */
    private static final String DEAD_LETTER_HEADER = "outbox.error.reason";

    private final ChangeRecords changes;
    private final OutboxRouter<SourceRecord> router = new OutboxRouter<>();
    private final OutboxConverter keys = new OutboxConverter();
    private final OutboxConverter values = new OutboxConverter();
    private final StringConverter headers = new StringConverter();

    /**
     * For the rows of one table.
     *
     * @param options the router's
     * @throws org.apache.kafka.common.config.ConfigException if they are not good
     */
    public EventRecords(ChangeRecords changes, Map<String, String> options) {
        this.changes = changes;
        router.configure(options);
        keys.configure(Map.of(), true);
        values.configure(Map.of(), false);
    }

    /**
     * The event of a row, or its dead letter.
     *
     * @throws RuntimeException if the router refuses the row and is told not to make dead letters
     */
    public ProducerRecord<byte[], byte[]> of(EventRow row, Instant now) {
        SourceRecord routed = router.apply(changes.of(row, now));
        if (routed == null) {
            throw new IllegalStateException("The router dropped the row " + row.id() + ", which is an INSERT.");
        }
        RecordHeaders written = new RecordHeaders();
        for (Header header : routed.headers()) {
            written.add(
                    header.key(),
                    headers.fromConnectHeader(routed.topic(), header.key(), header.schema(), header.value()));
        }
        return new ProducerRecord<>(
                routed.topic(),
                routed.kafkaPartition(),
                routed.timestamp(),
                keys.fromConnectData(routed.topic(), routed.keySchema(), routed.key()),
                values.fromConnectData(routed.topic(), routed.valueSchema(), routed.value()),
                written);
    }

    /** Whether a record is a dead letter. */
    public static boolean isDeadLetter(ProducerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(DEAD_LETTER_HEADER) != null;
    }
}
