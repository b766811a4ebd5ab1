package io.outboxcdc.router;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the outbox's columns in the schema of a row, or reports all that are missing or of a type that does not do. */
final class OutboxTableReader {

    private static final Set<Schema.Type> WHOLE_NUMBERS =
            EnumSet.of(Schema.Type.INT8, Schema.Type.INT16, Schema.Type.INT32, Schema.Type.INT64);
    private static final Set<Schema.Type> VERSIONS = EnumSet.of(Schema.Type.INT8, Schema.Type.INT16, Schema.Type.INT32);
    private static final Set<Schema.Type> HEADERS = EnumSet.of(Schema.Type.STRING, Schema.Type.MAP);

    private final Schema rows;
    private final List<String> problems = new ArrayList<>();

    private OutboxTableReader(Schema rows) {
        this.rows = rows;
    }

    /** @throws DataException if the table cannot be an outbox under these settings: the task has to stop */
    static OutboxTable read(Schema rows, Settings.Columns names, String tableName) {
        OutboxTableReader reader = new OutboxTableReader(rows);
        Optional<OutboxTable> table = reader.table(names);
        if (table.isEmpty() || !reader.problems.isEmpty()) {
            throw new DataException("Table " + tableName + " cannot be read as an outbox: "
                    + String.join("; ", reader.problems) + ". Columns found: "
                    + rows.fields().stream().map(Field::name).collect(Collectors.joining(", "))
                    + ". Correct the option, or add the column to the table and to the publication's column list; if this"
                    + " is not the outbox, name the outbox in " + RouterOption.TABLES.key + ".");
        }
        return table.get();
    }

    private Optional<OutboxTable> table(Settings.Columns names) {
        Optional<Column> id = required(RouterOption.EVENT_ID, List.of(names.id()));
        Optional<Column> key = required(RouterOption.EVENT_KEY, names.key());
        Optional<Column> type = required(RouterOption.ROUTE_BY, names.aggregateType());
        Optional<Column> payload = required(RouterOption.PAYLOAD, List.of(names.payload()));
        type.ifPresent(column -> mustBe(RouterOption.ROUTE_BY, column, EnumSet.of(Schema.Type.STRING), "text"));

        Optional<Column> eventType =
                names.eventType().isEmpty() ? Optional.empty() : required(RouterOption.EVENT_TYPE, names.eventType());
        Optional<Column> headers = names.headers().flatMap(name -> required(RouterOption.HEADERS, List.of(name)));
        headers.ifPresent(column -> mustBe(RouterOption.HEADERS, column, HEADERS, "json, jsonb, text or hstore"));
        Optional<OutboxTable.TimeColumn> timestamp = names.timestamp()
                .flatMap(name -> required(RouterOption.TIMESTAMP, List.of(name)))
                .flatMap(this::timeColumn);
        // Named by default, so a table without it is no fault.
        Optional<Column> spanContext =
                find(names.spanContext()).filter(column -> column.schema().type() == Schema.Type.STRING);
        List<OutboxTable.PlacedColumn> placedHeaders = placed(names, Placement.Target.HEADER);
        Optional<PayloadEnvelope> envelope = envelope(names);
        Optional<Column> partition = partition(names);

        if (id.isEmpty() || key.isEmpty() || type.isEmpty() || payload.isEmpty()) {
            return Optional.empty();
        }
        List<Column> all = rows.fields().stream().map(Column::new).toList();
        return Optional.of(new OutboxTable(
                all,
                id.get(),
                key.get(),
                type.get(),
                payload.get(),
                eventType,
                headers,
                timestamp,
                spanContext,
                placedHeaders,
                envelope,
                partition));
    }

    private Optional<Column> placed(Placement placement, Settings.Columns names) {
        return names.ignoreMissing()
                ? find(placement.column())
                : required(RouterOption.PLACEMENTS, List.of(placement.column()));
    }

    private List<OutboxTable.PlacedColumn> placed(Settings.Columns names, Placement.Target target) {
        return names.placed().stream()
                .filter(placement -> placement.target() == target)
                .flatMap(placement -> placed(placement, names).stream()
                        .map(column -> new OutboxTable.PlacedColumn(column, placement.name())))
                .toList();
    }

    /** There is one as soon as the option asks for it, also where its columns are missing and may be. */
    private Optional<PayloadEnvelope> envelope(Settings.Columns names) {
        if (names.placed().stream().noneMatch(placement -> placement.target() == Placement.Target.ENVELOPE)) {
            return Optional.empty();
        }
        Optional<Column> version =
                names.schemaVersion().flatMap(name -> required(RouterOption.SCHEMA_VERSION, List.of(name)));
        version.ifPresent(
                column -> mustBe(RouterOption.SCHEMA_VERSION, column, VERSIONS, "a whole number of 32 bits at most"));
        return Optional.of(new PayloadEnvelope(rows.name(), placed(names, Placement.Target.ENVELOPE), version));
    }

    /** Of several placed partitions the last counts, as in the stock router. */
    private Optional<Column> partition(Settings.Columns names) {
        Optional<Column> partition = placed(names, Placement.Target.PARTITION).stream()
                .map(OutboxTable.PlacedColumn::column)
                .reduce((earlier, later) -> later);
        partition.ifPresent(column ->
                mustBe(RouterOption.PLACEMENTS, column, WHOLE_NUMBERS, "a whole number, to name a partition"));
        return partition;
    }

    private Optional<OutboxTable.TimeColumn> timeColumn(Column column) {
        Optional<TimeFormat> format = TimeFormat.of(column.schema());
        if (format.isEmpty()) {
            mustBe(RouterOption.TIMESTAMP, column, Set.of(), "timestamptz or timestamp");
        }
        return format.map(known -> new OutboxTable.TimeColumn(column, known));
    }

    private Optional<Column> required(RouterOption option, List<String> names) {
        Optional<Column> column =
                names.stream().flatMap(name -> find(name).stream()).findFirst();
        if (column.isEmpty()) {
            problems.add("there is no column " + String.join(" or ", names) + " (" + option.key + ")");
        }
        return column;
    }

    private Optional<Column> find(String name) {
        return Optional.ofNullable(rows.field(name)).map(Column::new);
    }

    private void mustBe(RouterOption option, Column column, Set<Schema.Type> types, String wanted) {
        Schema schema = column.schema();
        if (!types.contains(schema.type())) {
            problems.add("column " + column.name() + " (" + option.key + ") comes as " + schema.type()
                    + (schema.name() == null ? "" : " " + schema.name()) + " and must be " + wanted);
        }
    }
}
