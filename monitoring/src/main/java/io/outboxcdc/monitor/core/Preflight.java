package io.outboxcdc.monitor.core;

import io.outboxcdc.monitor.core.ServerFacts.Settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Settings that make a fault worse when it comes. */
public final class Preflight {

    private static final double CROWDED = 0.8;
    private static final double LIMIT_OF_ROOM = 0.6;
    private static final long DAY_SECONDS = 86_400;

    private Preflight() {}

    /** What is not as it should be; empty when all is. */
    public static List<String> of(ServerFacts server, List<ConnectorFacts> connectors) {
        List<String> findings = new ArrayList<>();
        Settings settings = server.settings();
        if (!settings.walLevel().equals("logical")) {
            findings.add("wal_level is " + settings.walLevel() + "; logical is needed");
        }
        if (settings.maxSlotWalKeepBytes().isEmpty()) {
            findings.add("max_slot_wal_keep_size is -1: a slot that nobody reads fills the disk and stops the database"
                    + advice(server)
                            .map(bytes -> "; " + Words.bytes(bytes) + " would fit now")
                            .orElse(""));
        }
        Optional<Long> advised = advice(server);
        if (advised.isPresent() && settings.maxSlotWalKeepBytes().orElse(0) > advised.get()) {
            findings.add("max_slot_wal_keep_size is "
                    + Words.bytes(settings.maxSlotWalKeepBytes().getAsLong())
                    + ", more than is safe on this disk; " + Words.bytes(advised.get()) + " would fit now");
        }
        long idle = settings.idleSlotTimeoutSeconds();
        if (idle > 0 && idle < DAY_SECONDS) {
            findings.add("idle_replication_slot_timeout is " + Words.duration((double) idle)
                    + ": a connector that is stopped for longer loses its slot; 0 or a day and more is safe");
        }
        crowded("max_replication_slots", settings.usedSlots(), settings.maxSlots())
                .ifPresent(findings::add);
        crowded("max_wal_senders", settings.usedWalSenders(), settings.maxWalSenders())
                .ifPresent(findings::add);
        connectors.forEach(connector -> findings.addAll(ofConnector(connector)));
        return findings;
    }

    /**
     * The {@code max_slot_wal_keep_size} that keeps the database up: six tenths of the room that the disk has for held
     * WAL. Empty when the disk is not known.
     */
    private static Optional<Long> advice(ServerFacts server) {
        OptionalLong free = server.wal().diskFree();
        return free.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        (long) (LIMIT_OF_ROOM * (free.getAsLong() + server.wal().bytes())));
    }

    private static Optional<String> crowded(String setting, int used, int most) {
        return used > CROWDED * most
                ? Optional.of(used + " of " + setting + " = " + most + " are used; a restart may find none free")
                : Optional.empty();
    }

    private static List<String> ofConnector(ConnectorFacts connector) {
        List<String> findings = new ArrayList<>();
        Map<String, String> config = connector.config();
        String name = "connector " + connector.name();
        if ("all".equals(config.get("errors.tolerance"))) {
            findings.add(name + " has errors.tolerance=all: rows that fail are dropped and confirmed");
        }
        if ("true".equals(config.get("slot.drop.on.stop"))) {
            findings.add(name + " has slot.drop.on.stop=true: what is written while it is stopped is lost");
        }
        if (!config.containsKey("heartbeat.action.query")) {
            findings.add(name + " has no heartbeat.action.query: a quiet outbox holds all WAL of busy tables");
        }
        if (!config.getOrDefault("database.initial.statements", "").contains("pg_logical_emit_message")) {
            findings.add(
                    name + " writes no message with database.initial.statements: after a restart a quiet outbox holds"
                            + " all WAL of busy tables until the next event");
        }
        String mode = config.getOrDefault("publication.autocreate.mode", "all_tables");
        if (!mode.equals("disabled")) {
            findings.add(name + " has publication.autocreate.mode=" + mode
                    + ": a publication that is lost is made anew, and the hole is hidden");
        }
        return findings;
    }
}
