package io.outboxcdc.client.ledger;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/**
 * What is to be said about one event.
 *
 * @param kind what it is
 * @param id the event
 * @param at where it was seen first, or, when out of order, where it came too late; null when it was not seen
 * @param times how many rows or records the finding stands for; 1 but for repeats and for ids used by several rows
 */
public record Finding(Kind kind, UUID id, @Nullable Position at, long times) {

    /** The kinds of findings. */
    public enum Kind {
        /** Committed and never seen, though it would have been if it were to come. */
        LOST(true),
        /** Seen more often than once. */
        DUPLICATED(true),
        /** Seen after an event of its aggregate that was committed later. */
        OUT_OF_ORDER(true),
        /** Seen as a dead letter only. */
        DEAD_LETTERED(true),
        /** Not seen yet, and may still come. */
        ON_THE_WAY(false),
        /** Not seen, and so old that the topics may have dropped it. */
        NOT_RETAINED(false),
        /** Seen, and no row has its id: most often one that was cleaned up. */
        UNKNOWN(false);

        private final boolean fault;

        Kind(boolean fault) {
            this.fault = fault;
        }

        /** Whether the pipeline has done something wrong. */
        public boolean isFault() {
            return fault;
        }
    }
}
