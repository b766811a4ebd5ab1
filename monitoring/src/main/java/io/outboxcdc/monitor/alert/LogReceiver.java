package io.outboxcdc.monitor.alert;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;

/** Writes alerts into the monitor's log. */
public final class LogReceiver implements Receiver {

    private static final Logger LOG = LoggerFactory.getLogger("slot-monitor.alerts");

    @Override
    public String name() {
        return "log";
    }

    @Override
    public void send(String group, List<Alert> alerts) {
        for (Alert alert : alerts) {
            if (alert.resolved().isPresent()) {
                LOG.info("{}", alert.line());
            } else if (alert.rule().severity() == Severity.PAGE) {
                LOG.error("{}", alert.line());
            } else {
                LOG.warn("{}", alert.line());
            }
        }
    }
}
