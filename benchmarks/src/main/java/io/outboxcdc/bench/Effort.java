package io.outboxcdc.bench;

/** How long to measure. */
public enum Effort {
    /** Enough to see that everything runs, and whether a ratio is far off. */
    QUICK(1, 4, 3, 200),
    /** Enough to rely on, on a machine that does nothing else. */
    FULL(3, 5, 8, 300);

    /** How many JVMs measure each router; they take turns, so that a slow minute of the machine hits both. */
    final int rounds;

    final int warmups;
    final int iterations;
    final int iterationMillis;

    Effort(int rounds, int warmups, int iterations, int iterationMillis) {
        this.rounds = rounds;
        this.warmups = warmups;
        this.iterations = iterations;
        this.iterationMillis = iterationMillis;
    }
}
