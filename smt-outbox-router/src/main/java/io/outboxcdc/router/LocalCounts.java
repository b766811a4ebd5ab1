package io.outboxcdc.router;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts kept in memory, from the start of the task. */
final class LocalCounts implements Counts {

    final LongAdder published = new LongAdder();
    final Map<DeadLetterReason, LongAdder> deadLetters = adders(DeadLetterReason.class);
    final Map<DropRule, LongAdder> dropped = adders(DropRule.class);
    final LongAdder headerCollisions = new LongAdder();
    final LongAdder invalidTraces = new LongAdder();
    final LongAdder replacedTimes = new LongAdder();

    @Override
    public void published() {
        published.increment();
    }

    @Override
    public void deadLetter(DeadLetterReason reason) {
        count(deadLetters, reason);
    }

    @Override
    public void dropped(DropRule rule) {
        count(dropped, rule);
    }

    @Override
    public void headerCollisions(int headers) {
        headerCollisions.add(headers);
    }

    @Override
    public void invalidTrace() {
        invalidTraces.increment();
    }

    @Override
    public void replacedTime() {
        replacedTimes.increment();
    }

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> keys) {
        Map<E, LongAdder> adders = new EnumMap<>(keys);
        for (E key : keys.getEnumConstants()) {
            adders.put(key, new LongAdder());
        }
        return adders;
    }

    private static <E extends Enum<E>> void count(Map<E, LongAdder> adders, E key) {
        LongAdder adder = adders.get(key);
        if (adder != null) {
            adder.increment();
        }
    }
}
