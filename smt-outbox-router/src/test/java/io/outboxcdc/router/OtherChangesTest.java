package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Everything that is no INSERT into the outbox. */
class OtherChangesTest {

    private final RouterUnderTest router = RouterUnderTest.asShipped();

    @ParameterizedTest
    @CsvSource({"u, UPDATE", "d, DELETE", "t, TRUNCATE", "r, SNAPSHOT"})
    void otherChangesOfTheOutboxAreDroppedByRuleAndCounted(String operation, DropRule rule) {
        assertThat(router.apply(aRow().operation(operation))).isNull();
        assertThat(router.counts.countOf(rule)).isOne();
        assertThat(router.counts.published.sum()).isZero();
    }

    @Test
    void theTombstoneOfADeleteIsDropped() {
        assertThat(router.router.apply(OutboxRow.tombstone("outbox"))).isNull();
        assertThat(router.counts.countOf(DropRule.TOMBSTONE)).isOne();
    }

    @Test
    void tombstonesOfOtherTablesPassWhereTheOutboxIsNamed() {
        SourceRecord foreign = OutboxRow.tombstone("customers");

        assertThat(router.router.apply(foreign)).isSameAs(foreign);
        assertThat(RouterUnderTest.with().router.apply(foreign)).isNull();
    }

    /** It has no source block. */
    @Test
    void aTombstoneIsToldByItsTopicWhereItsKeyTellsNoTable() {
        SourceRecord keyless = new SourceRecord(Map.of(), Map.of(), "pg.public.outbox", null, null, null, null, null);
        Schema oddKey = SchemaBuilder.struct().name("pg.public.customers").build();
        SourceRecord odd =
                new SourceRecord(Map.of(), Map.of(), "pg.public.outbox", null, oddKey, new Struct(oddKey), null, null);
        SourceRecord nowhere = new SourceRecord(Map.of(), Map.of(), "outbox", null, null, null, null, null);

        assertThat(router.router.apply(keyless)).isNull();
        assertThat(router.router.apply(odd)).isNull();
        assertThat(router.router.apply(nowhere)).isSameAs(nowhere);
    }

    /** A row that was not changed as a whole may hold Debezium's placeholder in the place of its payload. */
    @Test
    void aChangedPrimaryKeyIsAnUpdateAndNoEvent() {
        OutboxRow row = aRow().header("__debezium.oldkey").with("payload", "__debezium_unavailable_value");

        assertThat(router.apply(row)).isNull();
        assertThat(router.counts.countOf(DropRule.UPDATE)).isOne();
    }

    @Test
    void anUpdateStopsTheTaskWhereThatIsAskedFor() {
        RouterUnderTest fatal = RouterUnderTest.asShipped("table.op.invalid.behavior", "fatal");

        assertThatThrownBy(() -> fatal.apply(aRow().operation("u")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(OutboxRow.ID)
                .hasMessageContaining("table.op.invalid.behavior");
    }

    /** The ORM that inserts an empty row and fills it later: the fault shows, it is no quiet empty event. */
    @Test
    void aPayloadThatIsFilledByALaterUpdateIsADeadLetter() {
        router.refuse(aRow().with("payload", null), DeadLetterReason.PAYLOAD_MISSING);

        assertThat(router.apply(aRow().operation("u"))).isNull();
    }

    @Test
    void rowsOfASnapshotAreRoutedByDefault() {
        SourceRecord event = RouterUnderTest.with().route(aRow().operation("r"));

        assertThat(event.topic()).isEqualTo("outbox.event.Order");
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "u", "d", "t", "r"})
    void changesOfOtherTablesPassAsTheSameObject(String operation) {
        SourceRecord foreign = aRow().table("orders").operation(operation).record();

        assertThat(router.router.apply(foreign)).isSameAs(foreign);
    }

    @Test
    void theTableIsReadFromTheSchemasNameWhereTheSourceIsMissing() {
        SourceRecord foreign = aRow().table("orders").withoutSource().record();

        assertThat(router.route(aRow().withoutSource()).topic()).isEqualTo("outbox.event.Order");
        assertThat(router.router.apply(foreign)).isSameAs(foreign);
    }

    @Test
    void tablesAreExpressionsOnTheWholeNameWithoutRegardToCase() {
        RouterUnderTest many = RouterUnderTest.with("table.include.list", "sales\\.outbox, PUBLIC.outbox_\\d{1\\,2}");
        SourceRecord longer = aRow().table("outbox_123").record();

        assertThat(many.route(aRow().table("outbox_12")).topic()).isEqualTo("outbox.event.Order");
        assertThat(many.router.apply(longer)).isSameAs(longer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.debezium.connector.common.Heartbeat",
                "io.debezium.connector.common.TransactionMetadataValue",
                "io.debezium.connector.common.Notification",
                "io.debezium.connector.postgresql.SchemaChangeValue"
            })
    void recordsThatAreNoChangeOfARowPassAsTheSameObject(String name) {
        Schema schema = SchemaBuilder.struct()
                .name(name)
                .field("ts_ms", Schema.INT64_SCHEMA)
                .build();
        SourceRecord other = record(schema, new Struct(schema).put("ts_ms", 1L));

        assertThat(router.router.apply(other)).isSameAs(other);
        assertThat(RouterUnderTest.with().router.apply(other)).isSameAs(other);
    }

    @Test
    void messagesAndRecordsWithoutSchemaPassAsTheSameObject() {
        Schema message = SchemaBuilder.struct()
                .name("io.debezium.connector.postgresql.MessageValue")
                .field("op", Schema.STRING_SCHEMA)
                .build();
        SourceRecord logical = record(message, new Struct(message).put("op", "m"));
        SourceRecord schemaless = record(null, Map.of("op", "c"));

        assertThat(router.router.apply(logical)).isSameAs(logical);
        assertThat(router.router.apply(schemaless)).isSameAs(schemaless);
    }

    @Test
    void missingColumnsStopTheTaskAndAreAllNamedAtOnce() {
        OutboxRow row = aRow().without("id").without("payload").without("headers");

        assertThatThrownBy(() -> router.apply(row))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Table public.outbox")
                .hasMessageContaining("no column id (table.field.event.id)")
                .hasMessageContaining("no column payload (table.field.event.payload)")
                .hasMessageContaining("no column headers (table.field.event.headers)")
                .hasMessageContaining("Columns found: aggregate_type, aggregate_id, event_type, created_at");
    }

    @Test
    void theEventTypeIsNeededOnlyWhereAnOptionTakesIt() {
        OutboxRow row = aRow().without("event_type");

        assertThat(RouterUnderTest.with().route(row).topic()).isEqualTo("outbox.event.Order");
        for (RouterUnderTest taking : List.of(
                RouterUnderTest.with("event.type.header", "eventType"),
                RouterUnderTest.with("cloudevents.headers", "true"))) {
            assertThatThrownBy(() -> taking.apply(row))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("(table.field.event.type)");
        }
    }

    @Test
    void anAggregateTypeThatIsNoTextStopsTheTask() {
        assertThatThrownBy(() -> router.apply(aRow().with("aggregate_type", Schema.INT32_SCHEMA, 1)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("column aggregate_type (route.by.field) comes as INT32 and must be text");
    }

    @Test
    void headersThatCannotHoldAnObjectStopTheTask() {
        assertThatThrownBy(() -> router.apply(aRow().with("headers", Schema.INT64_SCHEMA, 1L)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("column headers (table.field.event.headers) comes as INT64");
    }

    @Test
    void anEnvelopeWithoutOperationStopsTheTask() {
        Schema schema = SchemaBuilder.struct()
                .name("pg.public.outbox.Envelope")
                .field("ts_ms", Schema.INT64_SCHEMA)
                .build();

        assertThatThrownBy(() -> router.router.apply(record(schema, new Struct(schema).put("ts_ms", 1L))))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("op is not a valid field name");
    }

    private static SourceRecord record(@Nullable Schema schema, Object value) {
        return new SourceRecord(Map.of(), Map.of(), "topic", null, null, null, schema, value);
    }
}
