package io.outboxcdc.monitor.config;

import io.outboxcdc.monitor.core.Thresholds;
import io.outboxcdc.monitor.read.ConnectTarget;
import io.outboxcdc.monitor.read.DatabaseTarget;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the monitor is to do.
 *
 * @param secrets values that must never be shown
 */
public record Configuration(
        Duration sampleInterval,
        String httpAddress,
        int httpPort,
        Path stateFile,
        List<DatabaseTarget> databases,
        List<ConnectTarget> clusters,
        Thresholds thresholds,
        Alerts alerts,
        Actions actions,
        List<UpkeepTarget> upkeeps,
        Set<String> secrets) {

    /**
     * How alerts are raised.
     *
     * @param holds how long a rule's condition has to hold, where that differs from the rule, by the rule's name
     * @param disabled names of rules that are not raised here
     */
    public record Alerts(
            Duration resolveAfter,
            Optional<URI> webhook,
            Optional<URI> alertmanager,
            String runbook,
            Map<String, Duration> holds,
            Set<String> disabled) {}

    /** What the monitor may do by itself. */
    public record Actions(boolean restart, boolean heartbeat, long heartbeatBytes, boolean stop) {}

    /**
     * A database whose upkeep the monitor runs.
     *
     * @param database as the configuration calls it
     * @param password never shown
     * @param interval the pause between two rounds
     * @param inboxConsumers whose claims are forgotten after {@code inboxWindow}; mostly none
     */
    public record UpkeepTarget(
            String database,
            String jdbcUrl,
            String user,
            String password,
            Duration interval,
            List<String> inboxConsumers,
            Duration inboxWindow) {

        @Override
        public String toString() {
            return "upkeep of database " + database + " as " + user;
        }
    }

    @Override
    public String toString() {
        return databases + " " + clusters;
    }
}
