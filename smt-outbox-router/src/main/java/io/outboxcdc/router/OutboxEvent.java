package io.outboxcdc.router;

import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * One new row of the outbox. Reads columns when asked; a NULL is null, never the column's default.
 *
 * @param table    where the columns are
 * @param row      the row; it is never changed
 * @param envelope where the parts of the change around the row are
 * @param change   the change around the row
 */
record OutboxEvent(OutboxTable table, Struct row, Envelope envelope, Struct change) implements Change {

    /** When the connector read the change, in milliseconds since 1970. */
    @Nullable
    Long capturedAt() {
        return envelope.capturedAt(change);
    }

    /** When the change was committed, in milliseconds since 1970. */
    @Nullable
    Long committedAt() {
        return envelope.committedAt(change);
    }

    /** The connector's logical name, its {@code topic.prefix}. */
    Optional<String> connector() {
        return envelope.connector(change);
    }

    /** Where the change stands among all others, in the connector's own notation. */
    Optional<String> sequence() {
        return envelope.sequence(change);
    }

    /** Whether it was a logical message: then there is no row in a table. */
    boolean isMessage() {
        return envelope.isMessage();
    }

    SourcePosition source() {
        return envelope.position(change);
    }

    @Nullable
    Object id() {
        return table.id().of(row);
    }

    @Nullable
    Object key() {
        return table.key().of(row);
    }

    @Nullable
    String aggregateType() {
        return (String) table.aggregateType().of(row);
    }

    @Nullable
    Object payload() {
        return table.payload().of(row);
    }

    @Nullable
    Object headers() {
        Column column = table.headers().orElse(null);
        return column == null ? null : column.of(row);
    }

    @Nullable
    String spanContext() {
        Column column = table.spanContext().orElse(null);
        return column == null ? null : (String) column.of(row);
    }
}
