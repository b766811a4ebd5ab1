package io.outboxcdc.monitor.core;

/** The state of a slot that is expected. In the order in which they are decided: the first that holds is the one. */
public enum SlotState {
    /** The database could not be read. */
    UNKNOWN,
    /** There is no such slot. */
    MISSING,
    /** The server has dropped WAL that the slot needs. */
    LOST,
    /** Connect's stored position lies beyond the server's WAL: everything new would be skipped. */
    OFFSET_AHEAD,
    /** The slot has been moved past the position that Connect has stored: what lies between is never delivered. */
    OFFSET_GAP,
    /** What is written to the outbox does not reach the slot's reader. */
    PUBLICATION_BROKEN,
    /** The slot needs WAL that the next checkpoint may drop. */
    UNRESERVED,
    /** The walsender waits for a standby before it sends on. */
    BLOCKED_BY_STANDBY,
    /** Nobody reads. */
    INACTIVE,
    /** Somebody is connected and does not answer. */
    HUNG_CLIENT,
    /** The reader answers, and confirms nothing. */
    STALLED_DOWNSTREAM,
    /** The reader confirms, and does not take what the server has for it. */
    BACKPRESSURE,
    /** The reader is up to date; a transaction that is open holds the WAL. */
    HELD_BY_TRANSACTION,
    /** The reader is behind and catching up. */
    CATCHING_UP,
    /** All is well. */
    OK
}
