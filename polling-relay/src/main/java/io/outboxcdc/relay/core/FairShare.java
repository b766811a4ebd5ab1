package io.outboxcdc.relay.core;

import java.util.Collection;
import java.util.TreeSet;

/** How many shards each instance holds, so that all of them agree without talking. */
public final class FairShare {

    private FairShare() {}

    /**
     * The share of one instance: shares add up to all shards, and differ by one at most.
     *
     * @param instances those that are alive; {@code instance} counts among them in any case
     */
    public static int of(int shards, Collection<String> instances, String instance) {
        TreeSet<String> all = new TreeSet<>(instances);
        all.add(instance);
        int place = all.headSet(instance).size();
        return shards / all.size() + (place < shards % all.size() ? 1 : 0);
    }
}
