package io.outboxcdc.router;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts kept in memory, from the start of the task. */
final class LocalCounts implements Counts {

    final LongAdder published = new LongAdder();
    private final Map<DeadLetterReason, LongAdder> deadLetters = adders(DeadLetterReason.class);
    private final Map<DropRule, LongAdder> dropped = adders(DropRule.class);
    final LongAdder headerCollisions = new LongAdder();
    final LongAdder invalidTraces = new LongAdder();
    final LongAdder replacedTimes = new LongAdder();

    @Override
    public void published() {
        published.increment();
    }

    @Override
    public void deadLetter(DeadLetterReason reason) {
        adder(deadLetters, reason).increment();
    }

    @Override
    public void dropped(DropRule rule) {
        adder(dropped, rule).increment();
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

    long countOf(DeadLetterReason reason) {
        return adder(deadLetters, reason).sum();
    }

    long countOf(DropRule rule) {
        return adder(dropped, rule).sum();
    }

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> keys) {
        Map<E, LongAdder> adders = new EnumMap<>(keys);
        for (E key : keys.getEnumConstants()) {
            adders.put(key, new LongAdder());
        }
        return adders;
    }

    private static <E extends Enum<E>> LongAdder adder(Map<E, LongAdder> adders, E key) {
        return Objects.requireNonNull(adders.get(key));
    }
}
