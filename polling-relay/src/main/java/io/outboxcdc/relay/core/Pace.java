package io.outboxcdc.relay.core;

import java.time.Duration;

/** How long to wait when there was nothing to publish: longer each time, until there is something. Not thread-safe. */
public final class Pace {

    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    public Pace(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    /** There was something. */
    public void busy() {
        next = shortest;
    }

    /** There was nothing: how long to wait now. */
    public Duration idle() {
        Duration now = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) < 0 ? doubled : longest;
        return now;
    }
}
