package io.outboxcdc.relay.shard;

import io.outboxcdc.relay.core.AggregateKey;
import io.outboxcdc.relay.core.EventRow;
import io.outboxcdc.relay.publish.EventRecords;
import io.outboxcdc.relay.publish.Topics;
import org.apache.kafka.clients.producer.ProducerRecord;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Events that go into one transaction, and those that cannot. When one cannot, the later ones of its aggregate are left
 * out too, since they must not pass it. Not thread-safe.
 */
final class Batch {

    /** Events of one transaction with their records, each in the same place. */
    record Part(List<EventRow> rows, List<ProducerRecord<byte[], byte[]>> records) {}

    private final List<EventRow> rows = new ArrayList<>();
    private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final Map<EventRow, String> failures = new LinkedHashMap<>();
    private final Set<AggregateKey> stopped = new HashSet<>();

    private Batch() {}

    static Batch of(List<EventRow> next, EventRecords records, Topics topics, Instant now) {
        Batch batch = new Batch();
        for (EventRow row : next) {
            if (!batch.stopped.contains(row.aggregate())) {
                batch.add(row, records, topics, now);
            }
        }
        return batch;
    }

    private void add(EventRow row, EventRecords made, Topics topics, Instant now) {
        ProducerRecord<byte[], byte[]> record;
        try {
            record = made.of(row, now);
        } catch (RuntimeException e) {
            fail(row, String.valueOf(e.getMessage()));
            return;
        }
        Optional<String> problem = topics.problem(record.topic(), record.partition());
        if (problem.isPresent()) {
            fail(row, problem.get());
            return;
        }
        rows.add(row);
        records.add(record);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    int size() {
        return rows.size();
    }

    /** The first events, to be published together. */
    Part first(int most) {
        int size = Math.min(most, rows.size());
        return new Part(List.copyOf(rows.subList(0, size)), List.copyOf(records.subList(0, size)));
    }

    /** Takes out the first events. */
    void remove(Part published) {
        rows.subList(0, published.rows().size()).clear();
        records.subList(0, published.records().size()).clear();
    }

    /** Takes out what Kafka refused, by its place, and what is behind it; what is before it in its aggregate stays. */
    void leaveOut(Map<Integer, Exception> refused) {
        List<EventRow> allRows = List.copyOf(rows);
        List<ProducerRecord<byte[], byte[]>> allRecords = List.copyOf(records);
        rows.clear();
        records.clear();
        Set<AggregateKey> failed = new HashSet<>();
        for (int i = 0; i < allRows.size(); i++) {
            EventRow row = allRows.get(i);
            Exception why = refused.get(i);
            if (why != null && failed.add(row.aggregate())) {
                fail(row, why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage());
            } else if (!failed.contains(row.aggregate())) {
                rows.add(row);
                records.add(allRecords.get(i));
            }
        }
    }

    /** The events that failed, with what is against them. */
    Map<EventRow, String> failures() {
        return Collections.unmodifiableMap(failures);
    }

    private void fail(EventRow row, String why) {
        stopped.add(row.aggregate());
        failures.put(row, why);
    }
}
