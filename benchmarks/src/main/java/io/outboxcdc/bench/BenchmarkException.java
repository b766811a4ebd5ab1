package io.outboxcdc.bench;

/** A measurement that did not come to its end. */
public final class BenchmarkException extends RuntimeException {

    BenchmarkException(RouterCase work, Contender contender, Throwable cause) {
        super(
                "Measuring case " + work.label + " of the " + contender.label + " router failed: "
                        + cause.getMessage()
                        + ". It needs a free processor, 512 MB of memory and no other JMH run on this"
                        + " machine; try again, or leave the case out.",
                cause);
    }
}
