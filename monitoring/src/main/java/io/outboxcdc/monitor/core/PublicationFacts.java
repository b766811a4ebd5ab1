package io.outboxcdc.monitor.core;

import java.util.List;
import java.util.Optional;

/**
 * What the catalogs say of an outbox and its publication.
 *
 * @param name the publication's name
 * @param table the outbox, schema and name
 * @param oid of the publication; empty when there is none
 * @param logged false for an unlogged table, whose rows are never in the WAL
 * @param unpublishedColumns columns that an event needs and the publication's column list leaves out
 */
public record PublicationFacts(
        String name,
        String table,
        Optional<Long> oid,
        boolean tableExists,
        boolean partitioned,
        boolean logged,
        boolean covered,
        boolean inserts,
        boolean viaRoot,
        List<String> unpublishedColumns) {

    /** Why rows of the outbox do not arrive; empty when they do. */
    public Optional<String> problem() {
        if (!tableExists) {
            return Optional.of("table " + table + " does not exist");
        }
        if (!logged) {
            return Optional.of("table " + table + " is UNLOGGED: its rows are never in the WAL");
        }
        if (oid.isEmpty()) {
            return Optional.of("publication " + name + " does not exist");
        }
        if (!covered) {
            return Optional.of("publication " + name + " does not contain table " + table);
        }
        if (!inserts) {
            return Optional.of("publication " + name + " does not publish inserts");
        }
        if (partitioned && !viaRoot) {
            return Optional.of("publication " + name + " has publish_via_partition_root off, and " + table
                    + " is partitioned: rows go out under the names of partitions, which the connector leaves out");
        }
        return unpublishedColumns.isEmpty()
                ? Optional.empty()
                : Optional.of("the column list of publication " + name + " leaves out "
                        + String.join(", ", unpublishedColumns));
    }
}
