package io.outboxcdc.router;

import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** Tells what a record is. Pure but for the memory of schemas already seen; thread-safe. */
final class ChangeReader {

    /** A table has one schema until it is altered; a re-read of old changes may bring a few more. */
    private static final int SCHEMAS_KEPT = 256;

    private static final Change NOT_OURS = new Change.NotOurs();

    /** Debezium marks the new row of an UPDATE that has changed the primary key by this header. */
    private static final String OLD_KEY = "__debezium.oldkey";

    private final Settings settings;
    private final BoundedCache<SchemaIdentity, Envelope> envelopes = new BoundedCache<>(SCHEMAS_KEPT);
    private volatile @Nullable LastSeen last;

    /** Schemas are compared by identity: the connector hands out the same object until the table changes. */
    private record SchemaIdentity(Schema schema) {

        @Override
        public boolean equals(Object other) {
            return other instanceof SchemaIdentity identity && identity.schema == schema;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(schema);
        }
    }

    private record LastSeen(Schema schema, Envelope envelope) {}

    ChangeReader(Settings settings) {
        this.settings = settings;
    }

    /** @throws DataException if the record looks like a change of the outbox and cannot be read as one */
    Change read(ConnectRecord<?> record) {
        if (record.value() == null) {
            return tombstone(record);
        }
        if (!Envelope.isChange(record.valueSchema())) {
            return message(record);
        }
        if (!(record.value() instanceof Struct change)) {
            throw new DataException("Record with schema " + record.valueSchema().name() + " holds a "
                    + record.value().getClass().getName() + " and no Struct. Put no converting transform before the"
                    + " router.");
        }
        Envelope envelope = envelope(change.schema());
        return isOutbox(envelope, change) ? ofOutbox(record, envelope, change) : NOT_OURS;
    }

    private Change message(ConnectRecord<?> record) {
        return settings.messages().isPresent()
                        && MessageReader.isMessage(record.valueSchema())
                        && record.value() instanceof Struct change
                ? settings.messages()
                        .get()
                        .read(envelope(change.schema()), change)
                        .orElse(NOT_OURS)
                : NOT_OURS;
    }

    private boolean isOutbox(Envelope envelope, Struct change) {
        if (settings.tables().takesEveryTable()) {
            return true;
        }
        TableName table = envelope.table(change)
                .orElseThrow(
                        () -> new DataException("Cannot tell the table of a change record: neither its source block"
                                + " nor its schema name " + change.schema().name() + " names one. Leave "
                                + RouterOption.TABLES.key + " out where no other table is captured."));
        return settings.tables().includes(table);
    }

    private Change ofOutbox(ConnectRecord<?> record, Envelope envelope, Struct change) {
        String operation = envelope.operation(change);
        return switch (operation) {
            case "c" ->
                record.headers().lastWithName(OLD_KEY) == null
                        ? event(envelope, change)
                        : new Change.OfOutbox(DropRule.UPDATE, id(envelope.after(change)));
            case "r" ->
                settings.snapshotEvents() == Choice.SnapshotEvents.ROUTE
                        ? event(envelope, change)
                        : new Change.OfOutbox(DropRule.SNAPSHOT, Optional.empty());
            case "u" -> new Change.OfOutbox(DropRule.UPDATE, id(envelope.after(change)));
            case "d" -> new Change.OfOutbox(DropRule.DELETE, Optional.empty());
            case "t" -> new Change.OfOutbox(DropRule.TRUNCATE, Optional.empty());
            case "m" -> NOT_OURS;
            default ->
                throw new DataException("Change record of table "
                        + envelope.position(change).tableOrUnknown() + " has the unknown operation '" + operation
                        + "'; known are c, r, u, d, t and m.");
        };
    }

    private OutboxEvent event(Envelope envelope, Struct change) {
        Struct row = envelope.after(change);
        if (row == null) {
            throw new DataException("Change record of table "
                    + envelope.position(change).tableOrUnknown()
                    + " has no row in after. Put no transform that unwraps or"
                    + " rebuilds change records before the router.");
        }
        return new OutboxEvent(envelope.outbox(row, settings.columns(), change), row, envelope, change);
    }

    private Change tombstone(ConnectRecord<?> record) {
        if (settings.tables().takesEveryTable()) {
            return new Change.OfOutbox(DropRule.TOMBSTONE, Optional.empty());
        }
        // A tombstone has no source block; its key's schema and its topic are named after the table.
        Schema key = record.keySchema();
        String keyName = key == null ? null : key.name();
        Optional<TableName> table = keyName != null && keyName.endsWith(".Key")
                ? TableName.lastPartsOf(keyName.substring(0, keyName.length() - ".Key".length()))
                : TableName.lastPartsOf(record.topic());
        return table.filter(settings.tables()::includes).isPresent()
                ? new Change.OfOutbox(DropRule.TOMBSTONE, Optional.empty())
                : NOT_OURS;
    }

    private Optional<String> id(@Nullable Struct row) {
        return row == null || row.schema().field(settings.columns().id()) == null
                ? Optional.empty()
                : Optional.ofNullable(row.getWithoutDefault(settings.columns().id()))
                        .map(String::valueOf);
    }

    private Envelope envelope(Schema schema) {
        LastSeen seen = last;
        if (seen != null && seen.schema == schema) {
            return seen.envelope;
        }
        Envelope envelope = envelopes.get(new SchemaIdentity(schema), identity -> new Envelope(identity.schema));
        last = new LastSeen(schema, envelope);
        return envelope;
    }
}
