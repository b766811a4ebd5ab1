package io.outboxcdc.monitor.alert;

import io.outboxcdc.monitor.core.SlotState;
import io.outboxcdc.monitor.metric.Metric;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a rule looks for. Holds no value; {@link Promql} writes it down and {@link Subject} evaluates it. */
sealed interface Condition {

    /** How a value is compared. */
    enum Comparison {
        ABOVE(">"),
        BELOW("<"),
        IS("=="),
        AT_LEAST(">=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        String sign() {
            return sign;
        }

        boolean holds(double value, double bound) {
            return switch (this) {
                case ABOVE -> value > bound;
                case BELOW -> value < bound;
                case IS -> value == bound;
                case AT_LEAST -> value >= bound;
            };
        }
    }

    /** A metric against a bound. */
    record Compare(Metric metric, Comparison comparison, double bound) implements Condition {}

    /** The slot is in a state. */
    record InState(SlotState state) implements Condition {}

    /** All of them. */
    record All(List<Condition> parts) implements Condition {}

    /** Any of them. */
    record Any(List<Condition> parts) implements Condition {}

    static Condition above(Metric metric, double bound) {
        return new Compare(metric, Comparison.ABOVE, bound);
    }

    static Condition atLeast(Metric metric, double bound) {
        return new Compare(metric, Comparison.AT_LEAST, bound);
    }

    static Condition below(Metric metric, double bound) {
        return new Compare(metric, Comparison.BELOW, bound);
    }

    static Condition is(Metric metric, double value) {
        return new Compare(metric, Comparison.IS, value);
    }

    static Condition state(SlotState state) {
        return new InState(state);
    }

    default Condition and(Condition other) {
        return new All(List.of(this, other));
    }

    default Condition or(Condition other) {
        return new Any(List.of(this, other));
    }

    /** The metrics in it. */
    default Set<Metric> metrics() {
        Set<Metric> found = new LinkedHashSet<>();
        if (this instanceof Compare compare) {
            found.add(compare.metric());
        } else if (this instanceof InState) {
            found.add(Metric.STATE);
        } else if (this instanceof All all) {
            all.parts().forEach(part -> found.addAll(part.metrics()));
        } else if (this instanceof Any any) {
            any.parts().forEach(part -> found.addAll(part.metrics()));
        }
        return found;
    }

    /** What it is about: that of its first metric. */
    default Metric.Of of() {
        Metric.Of first = metrics().iterator().next().of();
        return first == Metric.Of.SLOT_STATE ? Metric.Of.SLOT : first;
    }
}
