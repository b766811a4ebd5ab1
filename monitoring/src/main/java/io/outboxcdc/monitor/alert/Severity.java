package io.outboxcdc.monitor.alert;

import java.util.Locale;

/** How urgent an alert is. */
public enum Severity {
    /** Events are lost, will be, or do not flow: somebody has to come. */
    PAGE,
    /** Somebody should look within the day. */
    WARNING;

    /** As the label says it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
