package io.outboxcdc.monitor.act;

import io.outboxcdc.monitor.config.Configuration;
import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.ExpectedSlot.ConnectorRef;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.core.SlotFacts;
import io.outboxcdc.monitor.core.SlotState;
import io.outboxcdc.monitor.core.TaskFailure;
import io.outboxcdc.monitor.metric.ActionCounts;
import io.outboxcdc.monitor.metric.ActionCounts.Outcome;
import io.outboxcdc.monitor.sample.SlotStatus;
import io.outboxcdc.monitor.sample.Snapshot;
import io.outboxcdc.monitor.sample.Sources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Does after each sample what may be done. Each action is switched by itself, logged and counted. Not thread-safe. */
public final class Actions {

    private static final Logger LOG = LoggerFactory.getLogger("slot-monitor.actions");
    private static final Duration BETWEEN_HEARTBEATS = Duration.ofSeconds(30);

    /** In these a start would make a loss final, or cannot work. */
    private static final Set<SlotState> KEEP_STOPPED = EnumSet.of(
            SlotState.MISSING,
            SlotState.LOST,
            SlotState.OFFSET_AHEAD,
            SlotState.OFFSET_GAP,
            SlotState.PUBLICATION_BROKEN);

    /** In these the slot's reader is there and has nothing to do, or waits for something to do. */
    private static final Set<SlotState> IDLE =
            EnumSet.of(SlotState.OK, SlotState.CATCHING_UP, SlotState.STALLED_DOWNSTREAM);

    private final Configuration.Actions settings;
    private final Sources sources;
    private final Map<String, RestartPlan> plans = new HashMap<>();
    private final Map<String, Instant> heartbeats = new HashMap<>();
    private final Map<Outcome, Long> counts = new HashMap<>();
    private final Map<String, Long> restarts = new HashMap<>();

    @FunctionalInterface
    private interface Deed {
        void perform() throws IOException, SQLException;
    }

    /** Does what the settings allow, over the connections that samples are read over. */
    public Actions(Configuration.Actions settings, Sources sources) {
        this.settings = settings;
        this.sources = sources;
        for (String action : List.of("restart", "heartbeat", "stop")) {
            counts.put(new Outcome(action, "done"), 0L);
            counts.put(new Outcome(action, "failed"), 0L);
        }
    }

    /** What has to survive a restart. */
    public Map<String, RestartPlan> save() {
        return Map.copyOf(plans);
    }

    /** Goes on where a former run ended. */
    public void restore(Map<String, RestartPlan> saved) {
        plans.putAll(saved);
    }

    /** What was done so far. */
    public ActionCounts counts(Instant now) {
        Map<String, Long> recently = new HashMap<>();
        plans.forEach((key, plan) -> recently.put(key, (long) plan.recentAt(now).size()));
        return new ActionCounts(Map.copyOf(counts), Map.copyOf(restarts), recently);
    }

    /** Does what a sample asks for. */
    public void after(Snapshot snapshot) {
        for (SlotStatus slot : snapshot.slots()) {
            Optional<ConnectorRef> connector = slot.expected().connector();
            Optional<ConnectorFacts> facts = slot.observation().connectorFacts();
            if (connector.isPresent() && facts.isPresent()) {
                restart(snapshot.time(), slot, connector.get(), facts.get());
                stop(slot, connector.get(), facts.get());
            }
            heartbeat(snapshot.time(), slot);
        }
    }

    private void restart(Instant now, SlotStatus slot, ConnectorRef connector, ConnectorFacts facts) {
        String key = connector.toString();
        RestartPlan plan = plans.getOrDefault(key, RestartPlan.NONE);
        boolean failed = facts.state().equals("FAILED") || !facts.failedTasks().isEmpty();
        plan = failed ? plan.failed(now) : facts.saysRunning() ? plan.healthy(now) : plan;
        if (settings.restart() && failed && plan.isDue(now)) {
            plan = plan.restarted(now);
            if (KEEP_STOPPED.contains(slot.finding().state())) {
                LOG.warn("{} is not restarted: {}", connector, slot.finding().cause());
            } else if (!mendable(facts)) {
                LOG.warn("{} is not restarted, since a restart cannot mend this: {}", connector, cause(facts));
            } else {
                perform(
                        "restart",
                        "start the failed parts of connector " + connector + " again, try " + plan.tries() + " ("
                                + cause(facts) + ")",
                        () -> sources.restartFailed(connector.cluster(), connector.name()));
                restarts.merge(key, 1L, Long::sum);
            }
        }
        plans.put(key, plan);
    }

    private static boolean mendable(ConnectorFacts facts) {
        return facts.failedTasks().stream()
                .flatMap(task -> task.failure().stream())
                .allMatch(TaskFailure::mendable);
    }

    private static String cause(ConnectorFacts facts) {
        return facts.firstFailure().map(TaskFailure::cause).orElse("no cause is given");
    }

    /** A slot that was never there, or on a standby, or a connector of another slot: then nothing is stopped. */
    private void stop(SlotStatus status, ConnectorRef connector, ConnectorFacts facts) {
        SlotState state = status.finding().state();
        boolean gone = state == SlotState.MISSING || state == SlotState.LOST;
        if (!settings.stop() || !gone || facts.state().equals("STOPPED")) {
            return;
        }
        ExpectedSlot expected = status.expected();
        boolean wasUsed = status.observation().memory().seen()
                || status.observation().storedOffset().isPresent();
        boolean standby = status.observation()
                .server()
                .value()
                .map(ServerFacts::inRecovery)
                .orElse(true);
        boolean reads = expected.slot().equals(facts.config().getOrDefault("slot.name", "debezium"));
        if (!wasUsed || standby || !reads) {
            return;
        }
        perform(
                "stop",
                "stop connector " + connector + ", so that it makes no new slot: slot " + expected.slot() + " is "
                        + state,
                () -> sources.stop(connector.cluster(), connector.name()));
    }

    private void heartbeat(Instant now, SlotStatus status) {
        // Not judged by what is unsent: a connector that looks for its place after a start takes nothing, and finds it
        // only by a message.
        boolean idle = status.observation().slot().map(SlotFacts::active).orElse(false)
                && IDLE.contains(status.finding().state());
        String key = status.expected().key();
        boolean lately = Duration.between(heartbeats.getOrDefault(key, Instant.EPOCH), now)
                        .compareTo(BETWEEN_HEARTBEATS)
                < 0;
        if (!settings.heartbeat() || !idle || lately || status.measures().retainedBytes() < settings.heartbeatBytes()) {
            return;
        }
        heartbeats.put(key, now);
        perform(
                "heartbeat",
                "write a heartbeat into database " + status.expected().database() + ", whose slot "
                        + status.expected().slot() + " is idle and holds WAL",
                () -> sources.emitHeartbeat(status.expected().database()));
    }

    private void perform(String action, String what, Deed deed) {
        try {
            deed.perform();
            counts.merge(new Outcome(action, "done"), 1L, Long::sum);
            LOG.warn("Done: {}.", what);
        } catch (IOException | SQLException e) {
            counts.merge(new Outcome(action, "failed"), 1L, Long::sum);
            LOG.warn("Failed: {}: {}", what, e.getMessage());
        }
    }
}
