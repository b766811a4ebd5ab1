package io.outboxcdc.relay.serve;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The values of all metrics since the start. Thread-safe. */
public final class Counts {

    private final Map<RelayMetric, AtomicLong> values;

    public Counts() {
        Map<RelayMetric, AtomicLong> all = new EnumMap<>(RelayMetric.class);
        for (RelayMetric metric : RelayMetric.values()) {
            all.put(metric, new AtomicLong());
        }
        values = Collections.unmodifiableMap(all);
    }

    /** Adds to a counter. */
    public void add(RelayMetric counter, long more) {
        of(counter).addAndGet(more);
    }

    /** Sets a gauge. */
    public void set(RelayMetric gauge, long value) {
        of(gauge).set(value);
    }

    /** The value now. */
    public long get(RelayMetric metric) {
        return of(metric).get();
    }

    private AtomicLong of(RelayMetric metric) {
        AtomicLong value = values.get(metric);
        if (value == null) {
            throw new IllegalArgumentException(metric + " is not counted.");
        }
        return value;
    }
}
