package io.outboxcdc.router;

import java.util.List;
import java.util.Optional;

/**
 * The outbox table as one schema of its rows describes it: where each part of an event is found. Worked out once per
 * schema by {@link OutboxTableReader}.
 *
 * @param all           every column, in the table's order
 * @param timestamp     the column of the record's time, with the way to read it
 * @param spanContext   the stock router's tracing column
 * @param placedHeaders the columns that become headers as they are
 * @param envelope      what holds the payload, if columns are placed beside it
 * @param partition     the column that names the record's partition
 */
record OutboxTable(
        List<Column> all,
        Column id,
        Column key,
        Column aggregateType,
        Column payload,
        Optional<Column> eventType,
        Optional<Column> headers,
        Optional<TimeColumn> timestamp,
        Optional<Column> spanContext,
        List<PlacedColumn> placedHeaders,
        Optional<PayloadEnvelope> envelope,
        Optional<Column> partition) {

    record TimeColumn(Column column, TimeFormat format) {}

    /** @param name the header or field that the column becomes */
    record PlacedColumn(Column column, String name) {}
}
