package io.outboxcdc.router;

import io.debezium.time.IsoTimestamp;
import io.debezium.time.MicroTimestamp;
import io.debezium.time.NanoTimestamp;
import io.debezium.time.StructuredTimestamp;
import io.debezium.time.StructuredZonedTimestamp;
import io.debezium.time.Timestamp;
import io.debezium.time.ZonedTimestamp;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.stream.Stream;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The time of a record out of a column. */
class RecordTimeTest {

    private static final long MILLIS = 1_704_157_445_123L;
    private static final LocalDateTime LOCAL = LocalDateTime.parse("2024-01-02T01:04:05.123456");

    private final RouterUnderTest router = RouterUnderTest.asShipped("table.field.event.timestamp", "created_at");

    private long timeOf(Schema schema, Object value) {
        return router.route(aRow().with("created_at", schema, value)).timestamp();
    }

    @ParameterizedTest
    @CsvSource({
        "2024-01-02T01:04:05.123456Z, 1704157445123",
        "2024-01-02T03:04:05.123456+02:00, 1704157445123",
        "2024-01-02T03:04:05Z, 1704164645000",
        "2024-01-01T21:34:05.120000Z, 1704144845120",
        "2024-01-02T03:04:05.1200+05:30, 1704144845120"
    })
    void aTimestamptzIsTheRecordsTime(String text, long millis) {
        assertThat(timeOf(ZonedTimestamp.schema(), text)).isEqualTo(millis);
        assertThat(router.counts.replacedTimes.sum()).isZero();
    }

    @ParameterizedTest
    @MethodSource
    void everyPrecisionModeIsRead(Schema schema, Object value) {
        assertThat(timeOf(schema, value)).isEqualTo(MILLIS);
    }

    static Stream<Arguments> everyPrecisionModeIsRead() {
        return Stream.of(
                Arguments.of(Timestamp.schema(), MILLIS),
                Arguments.of(MicroTimestamp.schema(), MILLIS * 1_000 + 456),
                Arguments.of(NanoTimestamp.schema(), MILLIS * 1_000_000 + 456_000),
                Arguments.of(org.apache.kafka.connect.data.Timestamp.SCHEMA, Date.from(Instant.ofEpochMilli(MILLIS))),
                Arguments.of(IsoTimestamp.schema(), IsoTimestamp.toIsoString(LOCAL, null)),
                Arguments.of(ZonedTimestamp.schema(), "2024-01-02T01:04:05.123456Z"),
                Arguments.of(StructuredTimestamp.schema(), StructuredTimestamp.from(LOCAL)),
                Arguments.of(
                        StructuredZonedTimestamp.schema(),
                        StructuredZonedTimestamp.from(OffsetDateTime.parse("2024-01-02T03:04:05.123456+02:00"))));
    }

    @Test
    void nullIsTheTimeOfTheChange() {
        assertThat(router.route(aRow().with("created_at", null)).timestamp()).isEqualTo(OutboxRow.CAPTURED_AT);
        assertThat(router.counts.replacedTimes.sum()).isZero();
    }

    /** With DEFAULT now() the connector reports a default of 1970. */
    @Test
    void aDefaultNeverTakesThePlaceOfNull() {
        Schema schema = ZonedTimestamp.builder()
                .optional()
                .defaultValue("1970-01-01T00:00:00.000000Z")
                .build();

        assertThat(router.route(aRow().with("created_at", schema, null)).timestamp())
                .isEqualTo(OutboxRow.CAPTURED_AT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1969-12-31T23:59:59.999Z",
                "infinity",
                "-infinity",
                "+292278994-08-16T23:00:00Z",
                "+999999999-12-31T23:59:59Z",
                "yesterday"
            })
    void aTimeThatKafkaWouldRefuseIsReplacedAndCounted(String text) {
        assertThat(timeOf(ZonedTimestamp.schema(), text)).isEqualTo(OutboxRow.CAPTURED_AT);
        assertThat(router.counts.replacedTimes.sum()).isOne();
    }

    @Test
    void infiniteStructuresAreReplacedAndCounted() {
        Schema schema = StructuredTimestamp.schema();

        assertThat(timeOf(schema, StructuredTimestamp.positiveInfinity(schema))).isEqualTo(OutboxRow.CAPTURED_AT);
        assertThat(timeOf(schema, StructuredTimestamp.negativeInfinity(schema))).isEqualTo(OutboxRow.CAPTURED_AT);
        assertThat(router.counts.replacedTimes.sum()).isEqualTo(2);
    }

    @Test
    void atMostOneHourAheadIsKept() {
        long hourAhead = OutboxRow.CAPTURED_AT + 3_600_000;

        assertThat(timeOf(Timestamp.schema(), hourAhead)).isEqualTo(hourAhead);
        assertThat(timeOf(Timestamp.schema(), hourAhead + 1)).isEqualTo(OutboxRow.CAPTURED_AT);
        assertThat(timeOf(MicroTimestamp.schema(), -1L)).isEqualTo(OutboxRow.CAPTURED_AT);
        assertThat(timeOf(Timestamp.schema(), 0L)).isZero();
    }

    @Test
    void aColumnThatIsNotPublishedStopsTheTaskWithTheRemedy() {
        assertThatThrownBy(() -> router.apply(aRow().without("created_at")))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("no column created_at (table.field.event.timestamp)")
                .hasMessageContaining("publication's column list")
                .hasMessageContaining("Columns found: id, aggregate_type, aggregate_id");
    }

    @Test
    void aColumnThatIsNoTimeStopsTheTask() {
        assertThatThrownBy(() -> router.apply(aRow().with("created_at", Schema.INT64_SCHEMA, 1L)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("created_at")
                .hasMessageContaining("INT64")
                .hasMessageContaining("timestamptz or timestamp");
    }

    @Test
    void withoutAColumnTheTimeOfTheChangeIsTaken() {
        long millis = RouterUnderTest.asShipped()
                .route(aRow().with("created_at", SchemaBuilder.string().build(), "text")
                        .capturedAt(5))
                .timestamp();

        assertThat(millis).isEqualTo(5);
    }
}
