package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.Finding.Code;
import io.outboxcdc.stack.sql.OutboxFacts.Publication;
import io.outboxcdc.stack.sql.OutboxFacts.Server;
import io.outboxcdc.stack.sql.OutboxFacts.Slot;
import io.outboxcdc.stack.sql.OutboxFacts.Table;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at a database before a connector is deployed. Most of these faults give no error at run time: the connector runs
 * and events are missing, or it makes a slot of its own and a gap with it.
 */
public final class OutboxPreflight {
    private static final Map<String, Set<String>> COLUMN_TYPES = columnTypes();

    private final OutboxTarget target;

    private final OutboxFacts facts;

    private final List<Finding> findings = new ArrayList<>();

    private OutboxPreflight(OutboxTarget target, OutboxFacts facts) {
        this.target = target;
        this.facts = facts;
    }

    /**
     * Reads the catalogs and returns all findings at once; none means that a connector can start. Any role may ask. One
     * that is not a member of {@code pg_monitor} sees no more than the pid of who holds a slot.
     *
     * @param connection to the database of the outbox; nothing is written
     * @throws SQLException when the database cannot be asked
     */
    public static List<Finding> check(Connection connection, OutboxTarget target) throws SQLException {
        return evaluate(target, OutboxFactsReader.read(connection, target));
    }

    static List<Finding> evaluate(OutboxTarget target, OutboxFacts facts) {
        return new OutboxPreflight(target, facts).evaluate();
    }

    private List<Finding> evaluate() {
        server(facts.server());
        facts.table()
                .ifPresentOrElse(
                        this::table,
                        () -> add(
                                Code.TABLE_MISSING,
                                table(),
                                "it does not exist in database "
                                        + facts.server().database(),
                                "Apply sql/20_outbox.sql, or correct table.include.list."));
        facts.publication()
                .ifPresentOrElse(
                        this::publication,
                        () -> add(
                                Code.PUBLICATION_MISSING,
                                publication(),
                                "it does not exist in database "
                                        + facts.server().database(),
                                "Apply sql/30_publication.sql before sql/40_slot.sql, or correct publication.name."));
        facts.slot().ifPresentOrElse(this::slot, this::noSlot);
        role();
        return List.copyOf(findings);
    }

    private void server(Server server) {
        if (!server.walLevel().equals("logical")) {
            add(
                    Code.WAL_LEVEL_NOT_LOGICAL,
                    "server",
                    "wal_level is " + server.walLevel(),
                    "ALTER SYSTEM SET wal_level = logical; then restart the server.");
        }
        boolean connected = facts.slot().flatMap(Slot::holder).isPresent();
        if (!connected && server.usedWalSenders() >= server.maxWalSenders()) {
            add(
                    Code.NO_FREE_WAL_SENDER,
                    "server",
                    "max_wal_senders is " + server.maxWalSenders() + " and all are in use",
                    "ALTER SYSTEM SET max_wal_senders = " + (server.usedWalSenders() + 2)
                            + "; then restart the server. Who uses them: SELECT * FROM pg_stat_replication;");
        }
    }

    private void table(Table table) {
        if (!table.logged()) {
            add(
                    Code.TABLE_NOT_LOGGED,
                    table(),
                    "it is UNLOGGED or temporary, so its rows never reach the WAL",
                    "ALTER TABLE " + target.qualifiedTable() + " SET LOGGED;");
        }
        COLUMN_TYPES.forEach((column, types) -> {
            String found = table.columnTypes().get(column);
            String wanted = String.join(" or ", types);
            if (found == null) {
                add(
                        Code.COLUMN_MISSING,
                        table(),
                        "column " + column + " is missing",
                        "ALTER TABLE " + target.qualifiedTable() + " ADD COLUMN " + column + " "
                                + types.iterator().next()
                                + "; then apply sql/20_outbox.sql and sql/30_publication.sql.");
            } else if (!types.contains(found)) {
                add(
                        Code.COLUMN_TYPE,
                        table(),
                        "column " + column + " is " + found + ", not " + wanted,
                        "ALTER TABLE " + target.qualifiedTable() + " ALTER COLUMN " + column + " TYPE "
                                + types.iterator().next() + " USING " + column + "::"
                                + types.iterator().next() + ";");
            }
        });
    }

    private void publication(Publication publication) {
        String alter = "ALTER PUBLICATION " + target.publication();
        if (!publication.coversTable() && facts.table().isPresent()) {
            add(
                    Code.PUBLICATION_WITHOUT_TABLE,
                    publication(),
                    "it does not publish " + target.qualifiedTable(),
                    alter + " ADD TABLE " + target.qualifiedTable() + "; or apply sql/30_publication.sql.");
        }
        if (!publication.inserts()) {
            add(
                    Code.PUBLICATION_WITHOUT_INSERTS,
                    publication(),
                    "it does not publish inserts",
                    alter + " SET (publish = 'insert');");
        }
        if (!publication.beyondInserts().isEmpty()) {
            add(
                    Code.PUBLICATION_BEYOND_INSERTS,
                    publication(),
                    "it publishes " + String.join(", ", publication.beyondInserts())
                            + " too, which costs decoding and makes no event",
                    alter + " SET (publish = 'insert');");
        }
        if (!publication.viaRoot()) {
            add(
                    Code.PUBLICATION_NOT_VIA_ROOT,
                    publication(),
                    "publish_via_partition_root is off, so a partitioned outbox publishes nothing that the connector takes",
                    alter + " SET (publish_via_partition_root = true);");
        }
        publication.columns().ifPresent(this::columnList);
    }

    private void columnList(Set<String> published) {
        Set<String> missing = new LinkedHashSet<>(COLUMN_TYPES.keySet());
        if (!target.createdAtPublished()) {
            missing.remove("created_at");
        }
        missing.removeAll(published);
        if (!missing.isEmpty()) {
            boolean onlyCreatedAt = missing.equals(Set.of("created_at"));
            add(
                    Code.PUBLICATION_WITHOUT_COLUMN,
                    publication(),
                    "its column list lacks " + String.join(", ", missing),
                    (onlyCreatedAt ? "SET outbox.publish_created_at = 'on'; then apply" : "Apply")
                            + " sql/30_publication.sql.");
        }
    }

    private void noSlot() {
        Server server = facts.server();
        add(
                Code.SLOT_MISSING,
                slot(),
                "it does not exist; a connector would make one itself and miss every row committed before",
                "Apply sql/40_slot.sql, or correct slot.name. Was it there before: see \"When a slot is lost or gone\""
                        + " in sql/README.md.");
        if (server.usedSlots() >= server.maxSlots()) {
            add(
                    Code.NO_FREE_SLOT,
                    "server",
                    "max_replication_slots is " + server.maxSlots() + " and all are in use",
                    "ALTER SYSTEM SET max_replication_slots = " + (server.usedSlots() + 2)
                            + "; then restart the server. Who uses them: SELECT * FROM pg_replication_slots;");
        }
    }

    private void slot(Slot slot) {
        String another = "Take another name: SET outbox.slot_name = '...'; apply sql/40_slot.sql and"
                + " sql/50_grants.sql, and set slot.name.";
        String plugin = slot.plugin().orElse("none (it is a physical slot)");
        if (!plugin.equals("pgoutput")) {
            add(Code.SLOT_PLUGIN, slot(), "its plugin is " + plugin + ", not pgoutput", another);
        }
        slot.database()
                .filter(database -> !database.equals(facts.server().database()))
                .ifPresent(database -> add(
                        Code.SLOT_DATABASE,
                        slot(),
                        "it belongs to database " + database + ", not to "
                                + facts.server().database(),
                        another));
        if (slot.walStatus().equals("lost")) {
            add(
                    Code.SLOT_LOST,
                    slot(),
                    "the server has dropped WAL that it had not delivered",
                    "See \"When a slot is lost or gone\" in sql/README.md.");
        }
        if (!target.slotMayBeActive()) {
            slot.holder()
                    .ifPresent(holder -> add(
                            Code.SLOT_ACTIVE,
                            slot(),
                            "it is in use by " + holder,
                            "Stop that connector, or give this one a slot of its own. A dead client is let go after"
                                    + " wal_sender_timeout, or by SELECT pg_terminate_backend(<pid>);"));
        }
    }

    private void role() {
        String role = "role " + target.role();
        if (facts.role().isEmpty()) {
            add(Code.ROLE_MISSING, role, "it does not exist", "Apply sql/10_roles.sql, or correct database.user.");
            return;
        }
        if (!facts.role().get().canLogIn()) {
            add(Code.ROLE_WITHOUT_LOGIN, role, "it may not log in", "ALTER ROLE " + target.role() + " LOGIN;");
        }
        if (!facts.role().get().canReplicate()) {
            add(
                    Code.ROLE_WITHOUT_REPLICATION,
                    role,
                    "it has no right to replicate",
                    "ALTER ROLE " + target.role() + " REPLICATION; or, where the service keeps that to itself, GRANT"
                            + " rds_replication TO " + target.role() + ";");
        }
    }

    private void add(Code code, String object, String found, String remedy) {
        findings.add(new Finding(code, object, found, remedy));
    }

    private String table() {
        return "table " + target.qualifiedTable();
    }

    private String publication() {
        return "publication " + target.publication();
    }

    private String slot() {
        return "slot " + target.slot();
    }

    private static Map<String, Set<String>> columnTypes() {
        Map<String, Set<String>> types = new LinkedHashMap<>();
        types.put("id", Set.of("uuid"));
        types.put("aggregate_type", Set.of("text"));
        types.put("aggregate_id", Set.of("text"));
        types.put("event_type", Set.of("text"));
        types.put("payload", new LinkedHashSet<>(List.of("jsonb", "json", "text", "bytea")));
        types.put("headers", Set.of("jsonb"));
        types.put("created_at", Set.of("timestamp with time zone"));
        return types;
    }
}
