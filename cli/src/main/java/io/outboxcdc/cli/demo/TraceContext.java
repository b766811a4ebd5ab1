package io.outboxcdc.cli.demo;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** W3C trace headers as an instrumented application would write them (w3.org/TR/trace-context, section 3.2). */
final class TraceContext {

    private TraceContext() {}

    /** A sampled traceparent with a trace of its own. */
    static String newTraceparent() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        // Ids of zeros only are invalid; the lower bound of one keeps them away.
        return String.format(
                Locale.ROOT,
                "00-%016x%016x-%016x-01",
                random.nextLong(),
                random.nextLong(1, Long.MAX_VALUE),
                random.nextLong(1, Long.MAX_VALUE));
    }
}
