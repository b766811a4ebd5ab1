package io.outboxcdc.client.ledger;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.UUID;

/** An event whose transaction committed; without a sequence its order is not judged. */
record CommittedEvent(
        UUID id,
        AggregateKey aggregate,
        long createdAtMicros,
        @Nullable Sequence sequence) {

    static final Comparator<CommittedEvent> ORDER =
            Comparator.comparing(CommittedEvent::id).thenComparingLong(CommittedEvent::createdAtMicros);
}
