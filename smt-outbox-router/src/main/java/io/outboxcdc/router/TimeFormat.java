package io.outboxcdc.router;

import io.debezium.time.IsoTimestamp;
import io.debezium.time.MicroTimestamp;
import io.debezium.time.NanoTimestamp;
import io.debezium.time.StructuredTemporal;
import io.debezium.time.StructuredTimestamp;
import io.debezium.time.StructuredZonedTimestamp;
import io.debezium.time.Timestamp;
import io.debezium.time.ZonedTimestamp;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The shapes in which Debezium delivers {@code timestamp} and {@code timestamptz}, for each {@code time.precision.mode}
 * (<a href="https://debezium.io/documentation/reference/stable/connectors/postgresql.html#postgresql-temporal-types">
 * temporal types</a>). A {@code timestamp} without zone is taken for UTC, as Debezium does.
 */
enum TimeFormat {
    MILLIS(Timestamp.SCHEMA_NAME),
    MICROS(MicroTimestamp.SCHEMA_NAME),
    NANOS(NanoTimestamp.SCHEMA_NAME),
    CONNECT(org.apache.kafka.connect.data.Timestamp.LOGICAL_NAME),
    ISO(IsoTimestamp.SCHEMA_NAME),
    ZONED(ZonedTimestamp.SCHEMA_NAME),
    STRUCTURED(StructuredTimestamp.SCHEMA_NAME),
    STRUCTURED_ZONED(StructuredZonedTimestamp.SCHEMA_NAME);

    private final String schemaName;

    TimeFormat(String schemaName) {
        this.schemaName = schemaName;
    }

    static Optional<TimeFormat> of(Schema schema) {
        for (TimeFormat format : values()) {
            if (format.schemaName.equals(schema.name())) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /** Milliseconds since 1970, rounded down; empty when the value is infinite or cannot be read. */
    OptionalLong millis(Object value) {
        try {
            return OptionalLong.of(read(value));
        } catch (DateTimeException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    private long read(Object value) {
        return switch (this) {
            case MILLIS -> (Long) value;
            case MICROS -> Math.floorDiv((Long) value, 1_000L);
            case NANOS -> Math.floorDiv((Long) value, 1_000_000L);
            case CONNECT -> ((Date) value).toInstant().toEpochMilli();
            case ISO, ZONED -> OffsetDateTime.parse((String) value).toInstant().toEpochMilli();
            case STRUCTURED, STRUCTURED_ZONED -> structure((Struct) value);
        };
    }

    private static long structure(Struct parts) {
        if (!StructuredTemporal.isFinite(parts)) {
            throw new DateTimeException("infinite");
        }
        boolean zoned = parts.schema().field(StructuredTemporal.OFFSET_SECONDS_FIELD) != null;
        int offset = zoned ? part(parts, StructuredTemporal.OFFSET_SECONDS_FIELD) : 0;
        return LocalDateTime.of(
                        part(parts, StructuredTemporal.YEAR_FIELD),
                        part(parts, StructuredTemporal.MONTH_FIELD),
                        part(parts, StructuredTemporal.DAY_FIELD),
                        part(parts, StructuredTemporal.HOUR_FIELD),
                        part(parts, StructuredTemporal.MINUTE_FIELD),
                        part(parts, StructuredTemporal.SECOND_FIELD),
                        part(parts, StructuredTemporal.NANOS_FIELD))
                .toInstant(ZoneOffset.ofTotalSeconds(offset))
                .toEpochMilli();
    }

    private static int part(Struct parts, String name) {
        Object value = parts.getWithoutDefault(name);
        return value == null ? 0 : ((Number) value).intValue();
    }
}
