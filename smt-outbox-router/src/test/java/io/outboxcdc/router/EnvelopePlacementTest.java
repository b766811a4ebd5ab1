package io.outboxcdc.router;

import io.debezium.data.Json;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Columns that are placed beside the payload. */
class EnvelopePlacementTest {

    private static final String PLACEMENT = "table.fields.additional.placement";
    private final RouterUnderTest router =
            RouterUnderTest.with(PLACEMENT, "event_type:envelope:eventType, created_at:envelope");

    @Test
    void theValueHoldsThePayloadAndTheColumnsUnderTheirAliases() {
        SourceRecord event = router.route(aRow());

        Struct value = (Struct) event.value();
        assertThat(event.valueSchema()).isSameAs(value.schema());
        assertThat(value.schema().name()).isEqualTo("pg.public.outbox.Order.Value");
        assertThat(value.schema().fields()).extracting("name").containsExactly("payload", "eventType", "created_at");
        assertThat(value.getString("payload")).isEqualTo("{\"a\": 1}");
        assertThat(value.getString("eventType")).isEqualTo("OrderPlaced");
        assertThat(value.get("created_at")).isNull();
        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id");
    }

    @Test
    void eachAggregateTypeHasItsOwnSchemaAndKeepsIt() {
        Schema order = router.route(aRow()).valueSchema();
        Schema user = router.route(aRow().with("aggregate_type", "User")).valueSchema();
        Schema orderAgain = router.route(aRow()).valueSchema();

        assertThat(user.name()).isEqualTo("pg.public.outbox.User.Value");
        assertThat(orderAgain).isEqualTo(order);
    }

    @Test
    void aColumnThatIsAddedOrRetypedLaterIsThere() {
        RouterUnderTest lenient =
                RouterUnderTest.with(PLACEMENT, "region:envelope", "table.field.additional.missing", "ignore");

        Struct before = (Struct) lenient.route(aRow()).value();
        Struct added = (Struct)
                lenient.route(aRow().with("region", Schema.STRING_SCHEMA, "eu")).value();
        Struct retyped = (Struct)
                lenient.route(aRow().with("region", Schema.INT32_SCHEMA, 7)).value();

        assertThat(before.schema().fields()).extracting("name").containsExactly("payload");
        assertThat(added.getString("region")).isEqualTo("eu");
        assertThat(retyped.getInt32("region")).isEqualTo(7);
    }

    @Test
    void aVersionTogetherWithAnotherPayloadMakesAnotherSchema() {
        RouterUnderTest versioned = RouterUnderTest.with(
                PLACEMENT,
                "event_type:envelope",
                "table.field.event.schema.version",
                "version",
                "table.expand.json.payload",
                "true");
        OutboxRow row = aRow().with("version", Schema.OPTIONAL_INT32_SCHEMA, 3);

        Struct first = (Struct) versioned.route(row).value();
        Struct second =
                (Struct) versioned.route(row.with("payload", "{\"b\": \"x\"}")).value();
        Struct none = (Struct) versioned
                .route(row.with("version", Schema.OPTIONAL_INT16_SCHEMA, null))
                .value();

        assertThat(first.schema().version()).isEqualTo(3);
        assertThat(first.getStruct("payload").getInt32("a")).isEqualTo(1);
        assertThat(second.schema().version()).isEqualTo(3);
        assertThat(second.getStruct("payload").getString("b")).isEqualTo("x");
        assertThat(none.schema().version()).isNull();
    }

    @Test
    void aNullColumnIsNullAndNotTheColumnsDefault() {
        Schema withDefault =
                SchemaBuilder.string().optional().defaultValue("standard").build();

        Struct value = (Struct)
                router.route(aRow().with("event_type", withDefault, null)).value();

        assertThat(value.getWithoutDefault("eventType")).isNull();
    }

    @Test
    void anEmptyPayloadIsATombstoneWithoutEnvelope() {
        RouterUnderTest tombstones =
                RouterUnderTest.with(PLACEMENT, "event_type:envelope", "route.tombstone.on.empty.payload", "true");

        SourceRecord event = tombstones.route(
                aRow().with("payload", Json.builder().optional().build(), null));

        assertThat(event.value()).isNull();
        assertThat(event.valueSchema()).isNull();
    }

    @Test
    void theColumnsCountForTheSize() {
        RouterUnderTest small = RouterUnderTest.with(PLACEMENT, "event_type:envelope", "max.record.bytes", "500");

        assertThat(small.route(aRow()).topic()).isEqualTo("outbox.event.Order");
        small.refuse(aRow().with("event_type", "x".repeat(500)), DeadLetterReason.RECORD_TOO_LARGE);
    }

    @Test
    void aMissingColumnOrAVersionOfAnotherTypeStopsTheTask() {
        RouterUnderTest strict =
                RouterUnderTest.with(PLACEMENT, "region:envelope", "table.field.event.schema.version", "event_type");

        assertThatThrownBy(() -> strict.apply(aRow()))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("no column region (table.fields.additional.placement)")
                .hasMessageContaining("column event_type (table.field.event.schema.version)");
    }

    @Test
    void aRowWithoutANameMakesAnEnvelopeNamedByItsType() {
        PayloadEnvelope envelope = new PayloadEnvelope(null, List.of(), Optional.empty());
        Struct row = new Struct(SchemaBuilder.struct().build());

        Struct value = envelope.around(Schema.STRING_SCHEMA, "x", row, "Order");

        assertThat(value.schema().name()).isEqualTo("Order");
    }
}
