package io.outboxcdc.monitor.alert;

import java.io.IOException;
import java.util.List;

/** Takes alerts to where people are. */
public interface Receiver {

    /** Names it in the log and in the state file. */
    String name();

    /** Whether it wants alerts that go on again and again, since it forgets them otherwise. */
    default boolean wantsRepeats() {
        return false;
    }

    /**
     * Sends one group's alerts in one message.
     *
     * @throws IOException when it was not taken; it is sent again later
     */
    void send(String group, List<Alert> alerts) throws IOException;
}
