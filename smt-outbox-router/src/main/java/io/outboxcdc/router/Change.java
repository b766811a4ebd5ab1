package io.outboxcdc.router;

import java.util.Optional;

/** What a record is to the router: a new row of the outbox, another change of it, or none of its business. */
sealed interface Change permits OutboxEvent, Change.OfOutbox, Change.Refused, Change.NotOurs {

    /**
     * A change of the outbox that is no event.
     *
     * @param rule    what it is
     * @param eventId the id of the row that was updated, if the record tells; empty for the others
     */
    record OfOutbox(DropRule rule, Optional<String> eventId) implements Change {}

    /** A logical message that is to be an event and is none. */
    record Refused(Verdict.DeadLetter letter) implements Change {}

    /** Heartbeats, transaction metadata, changes of other tables and the like. */
    record NotOurs() implements Change {}
}
