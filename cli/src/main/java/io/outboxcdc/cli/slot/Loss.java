package io.outboxcdc.cli.slot;

import io.outboxcdc.monitor.core.Words;

import java.util.Optional;

/**
 * What is never delivered by way of the slot when the deed is done.
 *
 * @param bytes of WAL
 * @param count the events in it; empty when they cannot be counted
 * @param uncounted why they cannot be counted, else empty
 */
public record Loss(long bytes, Optional<Count> count, String uncounted) {

    /** Nothing is lost. */
    public static final Loss NONE = new Loss(0, Optional.of(new Count(0, false)), "");

    /**
     * Events that were counted. Of the last transaction that Kafka has they can be too many: Connect's offset tells of a
     * transaction's end only with what comes after it.
     *
     * @param atLeast whether counting was ended because there are many
     */
    public record Count(long events, boolean atLeast) {

        @Override
        public String toString() {
            return (events == 0 ? "" : atLeast ? "at least " : "up to ")
                    + events
                    + (events == 1 ? " event" : " events");
        }
    }

    /** Whether it is sure that no event is lost. */
    public boolean isNone() {
        return count.map(found -> found.events() == 0 && !found.atLeast()).orElse(false);
    }

    /** In words, to be read after "lost". */
    @Override
    public String toString() {
        if (isNone()) {
            return "no event";
        }
        return count.map(Count::toString).orElse("events that cannot be counted (" + uncounted + ")") + " in "
                + Words.bytes(bytes) + " of WAL";
    }
}
