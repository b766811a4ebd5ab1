package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.Finding.Code;
import io.outboxcdc.stack.sql.OutboxFacts.Server;
import io.outboxcdc.stack.sql.OutboxFacts.Slot;

/** Whether the slot is there, whole, and free for the connector. */
final class SlotChecks {
    private static final String ANOTHER_NAME =
            "Take another name: SET outbox.slot_name = '...'; apply sql/40_slot.sql and"
                    + " sql/50_grants.sql, and set slot.name.";

    private static final String LOST_OR_GONE = "\"When a slot is lost or gone\" in sql/README.md.";

    private final OutboxTarget target;

    private final Findings findings;

    SlotChecks(OutboxTarget target, Findings findings) {
        this.target = target;
        this.findings = findings;
    }

    void missing(Server server) {
        findings.add(
                Code.SLOT_MISSING,
                slot(),
                "it does not exist; a connector would make one itself and miss every row committed before",
                "Apply sql/40_slot.sql, or correct slot.name. Was it there before: see " + LOST_OR_GONE);
        if (server.usedSlots() >= server.maxSlots()) {
            findings.add(
                    Code.NO_FREE_SLOT,
                    "server",
                    "max_replication_slots is " + server.maxSlots() + " and all are in use",
                    "ALTER SYSTEM SET max_replication_slots = " + (server.usedSlots() + 2)
                            + "; then restart the server. Who uses them: SELECT * FROM pg_replication_slots;");
        }
    }

    void check(Slot slot, String database) {
        String plugin = slot.plugin().orElse("none (it is a physical slot)");
        if (!plugin.equals("pgoutput")) {
            findings.add(Code.SLOT_PLUGIN, slot(), "its plugin is " + plugin + ", not pgoutput", ANOTHER_NAME);
        }
        slot.database()
                .filter(other -> !other.equals(database))
                .ifPresent(other -> findings.add(
                        Code.SLOT_DATABASE,
                        slot(),
                        "it belongs to database " + other + ", not to " + database,
                        ANOTHER_NAME));
        if (slot.walStatus().equals("lost")) {
            findings.add(
                    Code.SLOT_LOST,
                    slot(),
                    "the server has dropped WAL that it had not delivered",
                    "See " + LOST_OR_GONE);
        }
        if (!target.slotMayBeActive()) {
            slot.holder()
                    .ifPresent(holder -> findings.add(
                            Code.SLOT_ACTIVE,
                            slot(),
                            "it is in use by " + holder,
                            "Stop that connector, or give this one a slot of its own. A dead client is let go after"
                                    + " wal_sender_timeout, or by SELECT pg_terminate_backend(<pid>);"));
        }
    }

    private String slot() {
        return "slot " + target.slot();
    }
}
