package io.outboxcdc.router;

import java.util.List;
import java.util.Optional;

/**
 * What the options say, in the router's own terms. Immutable and valid by construction: see {@link SettingsReader}.
 *
 * @param tables                  which tables are the outbox
 * @param columns                 the columns that have a meaning
 * @param topics                  the topic of an aggregate type
 * @param eventTypeHeader         the header for the event type, if one is wanted
 * @param onInvalidEvent          what becomes of a row that makes no legal event
 * @param deadLetterTopic         where such rows go
 * @param maxRecordBytes          the largest record, in bytes before conversion
 * @param snapshotEvents          what becomes of rows that a snapshot has read
 * @param onUpdate                what becomes of an UPDATE
 * @param tombstoneOnEmptyPayload whether an empty payload makes a tombstone
 * @param expansion               what turns a JSON payload into structured data, if that is wanted
 * @param cloudEvents             what makes records CloudEvents, if that is wanted
 * @param messages                what reads logical messages as rows, if some are events
 */
record Settings(
        TableFilter tables,
        Columns columns,
        Topics topics,
        Optional<String> eventTypeHeader,
        Choice.OnInvalidEvent onInvalidEvent,
        String deadLetterTopic,
        int maxRecordBytes,
        Choice.SnapshotEvents snapshotEvents,
        Choice.OnUpdate onUpdate,
        boolean tombstoneOnEmptyPayload,
        Optional<JsonExpansion> expansion,
        Optional<CloudEvents> cloudEvents,
        Optional<MessageReader> messages) {

    /**
     * Names of columns. Where there are several for one column, the first that the table has is taken.
     *
     * @param eventType     empty when nothing reads it
     * @param ignoreMissing whether a placed column that the table does not have is left out
     */
    record Columns(
            String id,
            List<String> key,
            List<String> aggregateType,
            String payload,
            List<String> eventType,
            Optional<String> headers,
            Optional<String> timestamp,
            Optional<String> schemaVersion,
            String spanContext,
            List<Placement> placed,
            boolean ignoreMissing) {}
}
