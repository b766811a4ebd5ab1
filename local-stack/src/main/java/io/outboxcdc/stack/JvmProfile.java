package io.outboxcdc.stack;

import java.util.List;

/** How the broker's and the worker's JVMs are tuned. */
public enum JvmProfile {

    /** Small heaps and the quick compiler alone: half the processor time of a usual start. For demos and tests. */
    QUICK_START("256m", "320m", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"),

    /** Room and the full compiler, for measuring how much the pipeline carries. */
    THROUGHPUT("512m", "768m", "-XX:+UseG1GC");

    private final String brokerHeap;
    private final String workerHeap;
    private final String flags;

    JvmProfile(String brokerHeap, String workerHeap, String flags) {
        this.brokerHeap = brokerHeap;
        this.workerHeap = workerHeap;
        this.flags = flags;
    }

    String brokerHeap() {
        return brokerHeap;
    }

    String workerHeap() {
        return workerHeap;
    }

    List<String> flags() {
        return List.of(flags.split(" ", -1));
    }
}
