package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.Finding.Code;
import io.outboxcdc.stack.sql.OutboxFacts.Publication;

import java.util.LinkedHashSet;
import java.util.Set;

/** Whether the publication sends the inserts of the outbox, under its name, with the columns that are needed. */
final class PublicationChecks {
    private final OutboxTarget target;

    private final Findings findings;

    PublicationChecks(OutboxTarget target, Findings findings) {
        this.target = target;
        this.findings = findings;
    }

    void missing(String database) {
        findings.add(
                Code.PUBLICATION_MISSING,
                publication(),
                "it does not exist in database " + database,
                "Apply sql/30_publication.sql before sql/40_slot.sql, or correct publication.name.");
    }

    /** A table that does not exist is a finding already and not one of the publication. */
    void check(Publication publication, boolean tableExists) {
        String alter = "ALTER PUBLICATION " + target.publication();
        if (tableExists && !publication.coversTable()) {
            findings.add(
                    Code.PUBLICATION_WITHOUT_TABLE,
                    publication(),
                    "it does not publish " + target.qualifiedTable(),
                    alter + " ADD TABLE " + target.qualifiedTable() + "; or apply sql/30_publication.sql.");
        }
        if (!publication.inserts()) {
            findings.add(
                    Code.PUBLICATION_WITHOUT_INSERTS,
                    publication(),
                    "it does not publish inserts",
                    alter + " SET (publish = 'insert');");
        }
        if (!publication.beyondInserts().isEmpty()) {
            findings.add(
                    Code.PUBLICATION_BEYOND_INSERTS,
                    publication(),
                    "it publishes " + String.join(", ", publication.beyondInserts())
                            + " too, which costs decoding and makes no event",
                    alter + " SET (publish = 'insert');");
        }
        if (!publication.viaRoot()) {
            findings.add(
                    Code.PUBLICATION_NOT_VIA_ROOT,
                    publication(),
                    "publish_via_partition_root is off, so a partitioned outbox publishes nothing that the connector takes",
                    alter + " SET (publish_via_partition_root = true);");
        }
        publication.columns().ifPresent(this::columnList);
    }

    private void columnList(Set<String> published) {
        Set<String> missing = new LinkedHashSet<>(TableChecks.columns());
        if (!target.createdAtPublished()) {
            missing.remove("created_at");
        }
        missing.removeAll(published);
        if (!missing.isEmpty()) {
            String setting =
                    missing.contains("created_at") ? "SET outbox.publish_created_at = 'on'; then apply" : "Apply";
            findings.add(
                    Code.PUBLICATION_WITHOUT_COLUMN,
                    publication(),
                    "its column list lacks " + String.join(", ", missing),
                    setting + " sql/30_publication.sql.");
        }
    }

    private String publication() {
        return "publication " + target.publication();
    }
}
