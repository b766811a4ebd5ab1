package io.outboxcdc.stack.sql;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a database says about the objects of an {@link OutboxTarget}; an absent object is an empty optional. */
record OutboxFacts(
        Server server,
        Optional<Table> table,
        Optional<Publication> publication,
        Optional<Slot> slot,
        Optional<Role> role) {

    record Server(
            String database, String walLevel, int maxSlots, int usedSlots, int maxWalSenders, int usedWalSenders) {}

    /** Column types as {@code format_type} writes them, by column name. */
    record Table(boolean logged, Map<String, String> columnTypes) {}

    /**
     * @param beyondInserts the operations besides insert that are published: update, delete, truncate
     * @param columns the column list; empty when all columns are published
     */
    record Publication(
            boolean coversTable,
            boolean inserts,
            Set<String> beyondInserts,
            boolean viaRoot,
            Optional<Set<String>> columns) {}

    /**
     * @param plugin the output plugin; empty for a physical slot
     * @param database empty for a physical slot
     * @param holder the process that reads the slot now, in words
     */
    record Slot(Optional<String> plugin, Optional<String> database, String walStatus, Optional<String> holder) {}

    record Role(boolean canLogIn, boolean canReplicate) {}
}
