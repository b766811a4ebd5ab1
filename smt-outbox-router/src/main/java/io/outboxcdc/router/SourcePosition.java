package io.outboxcdc.router;

import java.util.Optional;

/**
 * Where a change comes from, as far as its {@code source} block tells.
 *
 * @param table       the table, else what the name of the envelope's schema says
 * @param lsn         the position in the WAL, in PostgreSQL's own notation such as {@code 0/16B3748}
 * @param transaction the transaction's id
 */
record SourcePosition(Optional<TableName> table, Optional<String> lsn, Optional<String> transaction) {

    String tableOrUnknown() {
        return table.map(TableName::toString).orElse("(unknown)");
    }
}
