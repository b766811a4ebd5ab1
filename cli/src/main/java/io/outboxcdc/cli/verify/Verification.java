package io.outboxcdc.cli.verify;

import io.outboxcdc.cli.verify.OutboxDatabase.RowsRead;
import io.outboxcdc.client.ledger.Finding.Kind;
import io.outboxcdc.client.ledger.Position;
import io.outboxcdc.client.ledger.Reconciliation;
import io.outboxcdc.client.ledger.Settlement;
import io.outboxcdc.client.ledger.Tally;
import org.apache.kafka.common.TopicPartition;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One comparison. Rows are read first, in one snapshot; then the slots are waited for until they have confirmed a
 * position behind all of these rows; then the topics are read to the ends that they have after that. So a row that is
 * not there was not on its way, and a record that came after the first look at the topics says nothing about the rows.
 */
public final class Verification {

    private final VerifyOptions options;
    private final VerifyProgress progress;
    private final FindingSink sink;

    /** Prepares a comparison whose findings go into the sink. */
    public Verification(VerifyOptions options, VerifyProgress progress, FindingSink sink) {
        this.options = options;
        this.progress = progress;
        this.sink = sink;
    }

    /**
     * Reads and judges.
     *
     * @throws CannotVerifyException when a side cannot be read
     */
    public VerifyResult run() throws InterruptedException {
        try (OutboxDatabase database = OutboxDatabase.connect(options);
                Topics topics = Topics.connect(options);
                Reconciliation ledger = new Reconciliation(options.tempFolder(), Reconciliation.EVENTS_IN_MEMORY)) {
            Map<TopicPartition, Long> endsBefore = topics.ends();
            RowsRead rows = database.readInto(ledger, options, progress);
            SlotState slots =
                    SlotState.await(database.connection(), options.slots(), rows.position(), options.grace(), progress);
            return compare(topics, ledger, endsBefore, rows, slots);
        } catch (UncheckedIOException e) {
            throw new CannotVerifyException(e.getMessage() + " Name another folder with --temp-folder.", e);
        }
    }

    private VerifyResult compare(
            Topics topics, Reconciliation ledger, Map<TopicPartition, Long> endsBefore, RowsRead rows, SlotState slots)
            throws InterruptedException {
        Map<TopicPartition, Long> ends = topics.ends();
        if (ends.isEmpty() && rows.rows() > 0) {
            throw new CannotVerifyException(
                    "No topic matches %s, and there is no topic %s. Name them with --topics and --dead-letter-topic; the"
                                    .formatted(options.topics(), options.deadLetterTopic())
                            + " Kafka user must have the rights to DESCRIBE and READ them.");
        }
        Map<TopicPartition, Long> beginnings = topics.beginnings();
        Retention retention = Retention.of(topics, options.client(), beginnings, Instant.now());
        Settlement settlement =
                new Settlement(retention.micros(), settledUntilMicros(slots, rows), options.wholeTable());

        Map<TopicPartition, Long> starts = options.since()
                .map(since -> topics.from(since.minus(Retention.CLOCKS), ends))
                .orElse(beginnings);
        topics.read(starts, ends, endsBefore, ledger::seen, progress);
        Tally tally = judge(ledger, settlement, topics);
        if (options.since().isPresent() && tally.count(Kind.LOST) + tally.count(Kind.NOT_RETAINED) > 0) {
            // A record's time may be any: before an event counts as lost, all that the topics hold is read.
            topics.read(beginnings, starts, endsBefore, ledger::seen, progress);
            tally = judge(ledger, settlement, topics);
        }
        return new VerifyResult(
                tally,
                topics.records(),
                topics.withoutId(),
                topics.names(),
                slots,
                rows.order(),
                notes(tally, topics, slots, rows, retention));
    }

    private Tally judge(Reconciliation ledger, Settlement settlement, Topics topics) {
        progress.say("judging");
        sink.restart();
        List<TopicPartition> lanes = topics.lanes();
        return ledger.judge(
                settlement,
                finding -> sink.take(finding, Optional.ofNullable(finding.at()).map(at -> place(lanes, at))));
    }

    private static FindingSink.Place place(List<TopicPartition> lanes, Position at) {
        TopicPartition lane = lanes.get(at.lane());
        return new FindingSink.Place(lane.topic(), lane.partition(), at.offset());
    }

    private long settledUntilMicros(SlotState slots, RowsRead rows) {
        return switch (slots) {
            case CONFIRMED -> Long.MAX_VALUE;
            case BEHIND -> Long.MIN_VALUE;
            case MISSING -> rows.readAt().minus(options.grace()).toEpochMilli() * 1_000;
        };
    }

    private List<String> notes(Tally tally, Topics topics, SlotState slots, RowsRead rows, Retention retention) {
        List<String> notes = new ArrayList<>();
        boolean unseen = tally.count(Kind.LOST) + tally.count(Kind.ON_THE_WAY) > 0;
        if (slots == SlotState.BEHIND && unseen) {
            notes.add("Slot %s %s within %d s: rows that are not in Kafka may be on the way, or lost. Run again later."
                    .formatted(names(), slots.meaning(), options.grace().toSeconds()));
        }
        if (slots == SlotState.MISSING) {
            notes.add("Slot %s %s: rows older than %d s by created_at count as lost when they are not in Kafka."
                    .formatted(names(), slots.meaning(), options.grace().toSeconds()));
        }
        if (tally.count(Kind.NOT_RETAINED) > 0) {
            notes.add("Rows up to %s may have been delivered and dropped since: %s. Compare newer ones with --since."
                    .formatted(retention.droppedUntil().orElseThrow(), retention.reason()));
        }
        if (rows.order() instanceof OrderSource.None && options.orderBy().isEmpty()) {
            notes.add("The order was not judged: the table does not say in which order transactions committed, unless"
                    + " the server has track_commit_timestamp = on or --order-by names a counter.");
        } else if (!(rows.order() instanceof OrderSource.None) && tally.withoutSequence() > 0) {
            notes.add("The order of %d events was not judged: %s does not tell their place."
                    .formatted(tally.withoutSequence(), rows.order().text()));
        }
        if (tally.spreadAggregates() > 0) {
            notes.add("%d aggregates have events in more than one partition; between partitions there is no order."
                    .formatted(tally.spreadAggregates()));
        }
        if (topics.withoutId() > 0) {
            notes.add("%d records have no header 'id' with a UUID and were left out.".formatted(topics.withoutId()));
        }
        return notes;
    }

    private String names() {
        return String.join(", ", options.slots());
    }
}
