package io.outboxcdc.monitor.core;

import io.outboxcdc.monitor.core.ServerFacts.Standby;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a slot would survive a failover. */
public final class Failover {

    private static final int COPIES_SINCE = 17;

    private Failover() {}

    /**
     * Why it would not; empty when it would, or need not. Without addresses of standbys it is judged by what the primary
     * can tell: the slot is marked, and a standby reads a physical slot.
     */
    public static List<String> problems(ExpectedSlot expected, Optional<SlotFacts> slot, ServerFacts server) {
        if (!expected.failoverRequired() || slot.isEmpty()) {
            return List.of();
        }
        if (server.majorVersion() < COPIES_SINCE) {
            return List.of("the server is PostgreSQL " + server.majorVersion()
                    + ", and standbys keep copies of slots from 17 on");
        }
        List<String> problems = new ArrayList<>();
        if (!slot.get().failover()) {
            problems.add("the slot is not marked for failover (ALTER_REPLICATION_SLOT " + expected.slot()
                    + " (FAILOVER true) over a replication connection, and slot.failover of the connector)");
        }
        if (server.holders().stream().noneMatch(holder -> holder.kind().equals("physical") && holder.active())) {
            problems.add("no standby reads a physical slot of the primary (primary_slot_name of the standby)");
        }
        if (server.standbySlots().isEmpty()) {
            problems.add(
                    "synchronized_standby_slots is empty on the primary, so the connector can deliver what no standby"
                            + " has");
        }
        for (Standby standby : server.standbys()) {
            standby.ready()
                    .reason()
                    .ifPresent(why -> problems.add("standby " + standby.address() + " cannot be read: " + why));
            if (standby.ready()
                    .value()
                    .map(ready -> !ready.contains(expected.slot()))
                    .orElse(false)) {
                problems.add("standby " + standby.address() + " has no copy that is ready (sync_replication_slots,"
                        + " hot_standby_feedback, and dbname in primary_conninfo of the standby)");
            }
        }
        return List.copyOf(problems);
    }
}
