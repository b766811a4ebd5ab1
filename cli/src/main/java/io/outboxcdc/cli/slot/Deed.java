package io.outboxcdc.cli.slot;

import io.outboxcdc.monitor.core.Lsn;

/** What an operator wants done to a slot. */
public sealed interface Deed {

    /** Moves the slot to a position; what lies before it is never delivered. */
    record Advance(Lsn to) implements Deed {}

    /** Removes the slot. */
    record Drop() implements Deed {}

    /** Removes the slot, if it is there, and makes it anew at the end of the WAL. */
    record Recreate() implements Deed {}

    /** As the command line calls it. */
    default String word() {
        if (this instanceof Advance) {
            return "advance";
        }
        return this instanceof Drop ? "drop" : "recreate";
    }
}
