package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.Finding.Code;
import io.outboxcdc.stack.sql.OutboxFacts.Role;
import io.outboxcdc.stack.sql.OutboxFacts.Server;
import io.outboxcdc.stack.sql.OutboxFacts.Slot;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Looks at a database before a connector is deployed. Most of these faults give no error at run time: the connector runs
 * and events are missing, or it makes a slot of its own and a gap with it.
 */
public final class OutboxPreflight {
    private OutboxPreflight() {}

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
        Findings findings = new Findings();
        String database = facts.server().database();

        server(facts.server(), facts.slot().flatMap(Slot::holder).isPresent(), findings);
        TableChecks table = new TableChecks(target, findings);
        facts.table().ifPresentOrElse(table::check, () -> table.missing(database));
        PublicationChecks publication = new PublicationChecks(target, findings);
        facts.publication()
                .ifPresentOrElse(
                        found -> publication.check(found, facts.table().isPresent()),
                        () -> publication.missing(database));
        SlotChecks slot = new SlotChecks(target, findings);
        facts.slot().ifPresentOrElse(found -> slot.check(found, database), () -> slot.missing(facts.server()));
        facts.role()
                .ifPresentOrElse(
                        found -> role(target.role(), found, findings),
                        () -> findings.add(
                                Code.ROLE_MISSING,
                                "role " + target.role(),
                                "it does not exist",
                                "Apply sql/10_roles.sql, or correct database.user."));
        return findings.list();
    }

    /** A connector that streams already has its WAL sender and needs no free one. */
    private static void server(Server server, boolean slotIsRead, Findings findings) {
        if (!server.walLevel().equals("logical")) {
            findings.add(
                    Code.WAL_LEVEL_NOT_LOGICAL,
                    "server",
                    "wal_level is " + server.walLevel(),
                    "ALTER SYSTEM SET wal_level = logical; then restart the server.");
        }
        if (!slotIsRead && server.usedWalSenders() >= server.maxWalSenders()) {
            findings.add(
                    Code.NO_FREE_WAL_SENDER,
                    "server",
                    "max_wal_senders is " + server.maxWalSenders() + " and all are in use",
                    "ALTER SYSTEM SET max_wal_senders = " + (server.usedWalSenders() + 2)
                            + "; then restart the server. Who uses them: SELECT * FROM pg_stat_replication;");
        }
    }

    private static void role(String name, Role role, Findings findings) {
        if (!role.canLogIn()) {
            findings.add(
                    Code.ROLE_WITHOUT_LOGIN, "role " + name, "it may not log in", "ALTER ROLE " + name + " LOGIN;");
        }
        if (!role.canReplicate()) {
            findings.add(
                    Code.ROLE_WITHOUT_REPLICATION,
                    "role " + name,
                    "it has no right to replicate",
                    "ALTER ROLE " + name + " REPLICATION; or, where the service keeps that to itself, GRANT"
                            + " rds_replication TO " + name + ";");
        }
    }
}
