package io.outboxcdc.relay.change;

import io.debezium.data.Json;
import io.debezium.data.Uuid;
import io.debezium.time.MicroTimestamp;
import io.debezium.time.ZonedTimestamp;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The column types that the relay reads, each as Debezium's connector delivers it with the shipped settings
 * (<a href="https://debezium.io/documentation/reference/stable/connectors/postgresql.html#postgresql-data-types">data
 * types</a>).
 */
@SuppressWarnings("ImmutableEnumChecker") // List.of, and schemas that are immutable.
public enum ColumnType {
    UUID(Uuid.builder().optional().build(), ResultSet::getString, "uuid"),
    TEXT(Schema.OPTIONAL_STRING_SCHEMA, ResultSet::getString, "text", "varchar", "bpchar"),
    JSON(Json.builder().optional().build(), ResultSet::getString, "json", "jsonb"),
    BYTES(Schema.OPTIONAL_BYTES_SCHEMA, ResultSet::getBytes, "bytea"),
    INT16(Schema.OPTIONAL_INT16_SCHEMA, ResultSet::getShort, "int2"),
    INT32(Schema.OPTIONAL_INT32_SCHEMA, ResultSet::getInt, "int4"),
    INT64(Schema.OPTIONAL_INT64_SCHEMA, ResultSet::getLong, "int8"),
    BOOLEAN(Schema.OPTIONAL_BOOLEAN_SCHEMA, ResultSet::getBoolean, "bool"),
    TIMESTAMP(MicroTimestamp.builder().optional().build(), ColumnType::micros, "timestamp"),
    TIMESTAMPTZ(ZonedTimestamp.builder().optional().build(), ColumnType::zoned, "timestamptz");

    private interface Reader {
        @Nullable
        Object read(ResultSet row, int column) throws SQLException;
    }

    private final Schema schema;
    private final Reader reader;
    private final List<String> names;

    ColumnType(Schema schema, Reader reader, String... names) {
        this.schema = schema;
        this.reader = reader;
        this.names = List.of(names);
    }

    /** The type with this name in PostgreSQL. */
    public static Optional<ColumnType> named(String name) {
        return Arrays.stream(values()).filter(type -> type.names.contains(name)).findFirst();
    }

    Schema schema() {
        return schema;
    }

    /** The value of a column of the current row; null for NULL. */
    public @Nullable Object read(ResultSet row, int column) throws SQLException {
        Object value = reader.read(row, column);
        return row.wasNull() ? null : value;
    }

    private static @Nullable Object micros(ResultSet row, int column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null ? null : ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), clamped(time));
    }

    /** Infinity has no microseconds; what is outside of PostgreSQL's years is the driver's word for it. */
    private static LocalDateTime clamped(LocalDateTime time) {
        LocalDateTime last = LocalDateTime.of(294_246, 12, 31, 23, 59);
        LocalDateTime first = LocalDateTime.of(-4_713, 1, 1, 0, 0);
        return time.isAfter(last) ? last : time.isBefore(first) ? first : time;
    }

    private static @Nullable Object zoned(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        if (time == null) {
            return null;
        }
        return time.equals(OffsetDateTime.MAX) || time.equals(OffsetDateTime.MIN)
                ? "infinity"
                : ZonedTimestamp.toIsoString(time.atZoneSameInstant(ZoneOffset.UTC), null, 6);
    }
}
