package io.outboxcdc.bench;

/** Both routers' costs for the records of one case. */
public record CaseResult(RouterCase work, Cost ours, Cost stock) {

    /** Our time by the stock router's; below 1 is quicker. */
    public double timeRatio() {
        return ours.nanos() / stock.nanos();
    }

    /** Our allocation by the stock router's. */
    public double allocationRatio() {
        return ours.bytes() / stock.bytes();
    }
}
