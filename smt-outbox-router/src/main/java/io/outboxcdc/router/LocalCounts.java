package io.outboxcdc.router;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What the router has done since its task started. Thread-safe and quick: each record comes by. */
final class LocalCounts {

    final LongAdder published = new LongAdder();
    private final Map<DeadLetterReason, LongAdder> deadLetters = adders(DeadLetterReason.class);
    private final Map<DropRule, LongAdder> dropped = adders(DropRule.class);
    final LongAdder headerCollisions = new LongAdder();
    final LongAdder invalidTraces = new LongAdder();
    final LongAdder replacedTimes = new LongAdder();

    void published() {
        published.increment();
    }

    void deadLetter(DeadLetterReason reason) {
        adder(deadLetters, reason).increment();
    }

    void dropped(DropRule rule) {
        adder(dropped, rule).increment();
    }

    /** Headers of one row that were left out, since their names are empty, reserved or taken. */
    void headerCollisions(int headers) {
        headerCollisions.add(headers);
    }

    /** A trace that breaks the rules of W3C Trace Context and does not travel on. */
    void invalidTrace() {
        invalidTraces.increment();
    }

    /** A time column that Kafka would refuse, replaced by the time of the change. */
    void replacedTime() {
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
