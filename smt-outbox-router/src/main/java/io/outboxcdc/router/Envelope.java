package io.outboxcdc.router;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Debezium's change envelope as one schema describes it, and the outbox table inside it, each field looked up once.
 * Fields that only some connectors or versions write may be missing, the whole {@code source} too.
 */
final class Envelope {

    private static final String SUFFIX = ".Envelope";

    private final Column operation;
    private final @Nullable Column after;
    private final @Nullable Column capturedAt;
    private final @Nullable Column source;
    private final @Nullable Column sourceName;
    private final @Nullable Column sourceTime;
    private final @Nullable Column sourceSequence;
    private final @Nullable Column sourceSchema;
    private final @Nullable Column sourceTable;
    private final @Nullable Column sourceLsn;
    private final @Nullable Column sourceTransaction;
    private final Optional<TableName> nameInSchema;
    private final boolean message;
    private volatile @Nullable OutboxTable outbox;

    /** Whether records of this schema are changes of rows, told as the stock router tells it. */
    static boolean isChange(@Nullable Schema schema) {
        return schema != null && schema.name() != null && schema.name().endsWith(SUFFIX);
    }

    Envelope(Schema schema) {
        Column op = column(schema, "op");
        if (op == null) {
            throw new DataException(
                    "Record with schema " + schema.name() + " is no change record: op is not a valid field"
                            + " name. Put no transform that unwraps or rebuilds change records before the router.");
        }
        operation = op;
        after = column(schema, "after");
        capturedAt = column(schema, "ts_ms");
        source = column(schema, "source");
        Schema position = source == null ? null : source.schema();
        sourceName = column(position, "name");
        sourceTime = column(position, "ts_ms");
        sourceSequence = column(position, "sequence");
        sourceSchema = column(position, "schema");
        sourceTable = column(position, "table");
        sourceLsn = column(position, "lsn");
        sourceTransaction = column(position, "txId");
        message = MessageReader.isMessage(schema);
        nameInSchema = message
                ? Optional.empty()
                : TableName.lastPartsOf(schema.name().substring(0, schema.name().length() - SUFFIX.length()));
    }

    /** Debezium's code of the operation, such as {@code c} for an INSERT. */
    String operation(Struct change) {
        if (operation.of(change) instanceof String code) {
            return code;
        }
        throw new DataException("Change record with schema " + change.schema().name() + " names no operation in op.");
    }

    @Nullable
    Struct after(Struct change) {
        return after == null ? null : (Struct) after.of(change);
    }

    /** When the connector read the change, in milliseconds since 1970. */
    @Nullable
    Long capturedAt(Struct change) {
        return capturedAt != null && capturedAt.of(change) instanceof Long millis ? millis : null;
    }

    /** When the change was committed, in milliseconds since 1970. */
    @Nullable
    Long committedAt(Struct change) {
        Struct position = source(change);
        return position != null && sourceTime != null && sourceTime.of(position) instanceof Long millis ? millis : null;
    }

    Optional<String> connector(Struct change) {
        return sourceText(sourceName, change);
    }

    Optional<String> sequence(Struct change) {
        return sourceText(sourceSequence, change);
    }

    private Optional<String> sourceText(@Nullable Column column, Struct change) {
        Struct position = source(change);
        return position == null ? Optional.empty() : Optional.ofNullable(text(column, position));
    }

    /** Whether it is that of logical messages: they come of no table. */
    boolean isMessage() {
        return message;
    }

    Optional<TableName> table(Struct change) {
        Struct position = source(change);
        String schema = position == null ? null : text(sourceSchema, position);
        String table = position == null ? null : text(sourceTable, position);
        return schema == null || table == null ? nameInSchema : Optional.of(new TableName(schema, table));
    }

    SourcePosition position(Struct change) {
        Struct position = source(change);
        return new SourcePosition(
                table(change),
                position != null && sourceLsn != null && sourceLsn.of(position) instanceof Long lsn
                        ? Optional.of(String.format("%X/%X", lsn >>> 32, lsn & 0xFFFF_FFFFL))
                        : Optional.empty(),
                position != null && sourceTransaction != null && sourceTransaction.of(position) instanceof Number id
                        ? Optional.of(id.toString())
                        : Optional.empty());
    }

    /** The outbox table in this envelope's rows. */
    OutboxTable outbox(Struct row, Settings.Columns columns, Struct change) {
        OutboxTable known = outbox;
        if (known == null) {
            String name = table(change).map(TableName::toString).orElse("(unknown)");
            known = OutboxTableReader.read(row.schema(), columns, name);
            outbox = known;
        }
        return known;
    }

    private @Nullable Struct source(Struct change) {
        return source == null ? null : (Struct) source.of(change);
    }

    private static @Nullable String text(@Nullable Column column, Struct position) {
        return column != null && column.of(position) instanceof String text && !text.isEmpty() ? text : null;
    }

    private static @Nullable Column column(@Nullable Schema schema, String name) {
        Field field = schema == null || schema.type() != Schema.Type.STRUCT ? null : schema.field(name);
        return field == null ? null : new Column(field);
    }
}
