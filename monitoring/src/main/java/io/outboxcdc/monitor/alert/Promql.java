package io.outboxcdc.monitor.alert;

import io.outboxcdc.monitor.alert.Condition.All;
import io.outboxcdc.monitor.alert.Condition.Any;
import io.outboxcdc.monitor.alert.Condition.Compare;
import io.outboxcdc.monitor.alert.Condition.InState;
import io.outboxcdc.monitor.metric.Metric;

import java.math.BigDecimal;
import java.util.stream.Collectors;

/** Conditions in Prometheus' language. */
final class Promql {

    private Promql() {}

    static String of(Condition condition) {
        if (condition instanceof Compare compare) {
            return compare.metric().queryName() + " " + compare.comparison().sign() + " " + number(compare.bound());
        }
        if (condition instanceof InState inState) {
            // The state is taken off, so that the series of two states can be compared and one alert stays one alert.
            return "max by (database, slot) (" + Metric.STATE.queryName() + "{state=\""
                    + inState.state().name() + "\"}) == 1";
        }
        if (condition instanceof All all) {
            String labels = all.parts().stream()
                    .map(part -> part.of().labels())
                    .min((one, other) -> Integer.compare(one.size(), other.size()))
                    .map(names -> String.join(", ", names))
                    .orElse("");
            return all.parts().stream().map(Promql::part).collect(Collectors.joining(" and on (" + labels + ") "));
        }
        return ((Any) condition).parts().stream().map(Promql::part).collect(Collectors.joining(" or "));
    }

    private static String part(Condition condition) {
        String text = of(condition);
        return condition instanceof Compare || condition instanceof InState ? text : "(" + text + ")";
    }

    private static String number(double value) {
        return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
    }
}
