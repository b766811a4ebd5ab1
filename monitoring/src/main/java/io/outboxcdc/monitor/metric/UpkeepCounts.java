package io.outboxcdc.monitor.metric;

import java.util.Optional;

/**
 * What became of the rounds of upkeep of one database since the monitor was started.
 *
 * @param failure why the last round failed; empty when it did not
 */
public record UpkeepCounts(long done, long failed, Optional<String> failure) {

    /** No round yet. */
    public static final UpkeepCounts NONE = new UpkeepCounts(0, 0, Optional.empty());

    /** After a round that went well. */
    public UpkeepCounts afterDone() {
        return new UpkeepCounts(done + 1, failed, Optional.empty());
    }

    /** After a round that failed. */
    public UpkeepCounts afterFailed(String why) {
        return new UpkeepCounts(done, failed + 1, Optional.of(why));
    }
}
