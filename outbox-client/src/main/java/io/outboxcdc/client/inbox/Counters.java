package io.outboxcdc.client.inbox;

import java.util.concurrent.atomic.LongAdder;

/** What a consumer counts. */
final class Counters {

    final LongAdder handled = new LongAdder();
    final LongAdder repeats = new LongAdder();
    final LongAdder stored = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder deadLetters = new LongAdder();
    final LongAdder databaseTroubles = new LongAdder();
    final LongAdder withoutId = new LongAdder();

    InboxCounts counts() {
        return new InboxCounts(
                handled.sum(),
                repeats.sum(),
                stored.sum(),
                failures.sum(),
                deadLetters.sum(),
                databaseTroubles.sum(),
                withoutId.sum());
    }
}
