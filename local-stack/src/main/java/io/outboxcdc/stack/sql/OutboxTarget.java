package io.outboxcdc.stack.sql;

/**
 * The objects that a connector is about to use, so that they can be checked.
 *
 * @param schema schema of the outbox
 * @param table name of the outbox
 * @param publication {@code publication.name} of the connector
 * @param slot {@code slot.name} of the connector
 * @param role {@code database.user} of the connector
 * @param createdAtPublished whether the router is told to read {@code created_at}, which must then be published
 * @param slotMayBeActive whether the connector runs already, so that a slot in use is as it should be
 */
public record OutboxTarget(
        String schema,
        String table,
        String publication,
        String slot,
        String role,
        boolean createdAtPublished,
        boolean slotMayBeActive) {

    /** What the shipped scripts make and the shipped connector configuration uses. */
    public static OutboxTarget standard() {
        return new OutboxTarget("public", "outbox", "outbox", "outbox", "outbox_cdc", false, false);
    }

    public OutboxTarget withTable(String otherSchema, String otherTable) {
        return new OutboxTarget(otherSchema, otherTable, publication, slot, role, createdAtPublished, slotMayBeActive);
    }

    public OutboxTarget withPublication(String other) {
        return new OutboxTarget(schema, table, other, slot, role, createdAtPublished, slotMayBeActive);
    }

    public OutboxTarget withSlot(String other) {
        return new OutboxTarget(schema, table, publication, other, role, createdAtPublished, slotMayBeActive);
    }

    public OutboxTarget withRole(String other) {
        return new OutboxTarget(schema, table, publication, slot, other, createdAtPublished, slotMayBeActive);
    }

    /** The router reads {@code created_at}. */
    public OutboxTarget publishingCreatedAt() {
        return new OutboxTarget(schema, table, publication, slot, role, true, slotMayBeActive);
    }

    /** The connector runs already. */
    public OutboxTarget whileRunning() {
        return new OutboxTarget(schema, table, publication, slot, role, createdAtPublished, true);
    }

    String qualifiedTable() {
        return schema + "." + table;
    }
}
