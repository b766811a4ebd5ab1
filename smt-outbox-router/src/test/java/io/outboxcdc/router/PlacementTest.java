package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.outboxcdc.router.OutboxRow.aRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Columns that are placed as headers or as the partition. */
class PlacementTest {

    @Test
    void columnsBecomeHeadersOfTheirTypeInTheOrderOfTheOption() {
        RouterUnderTest router = RouterUnderTest.with(
                "table.fields.additional.placement", "event_type:header:eventType , shard:HEADER, created_at:header");

        SourceRecord event = router.route(aRow().with("shard", Schema.INT64_SCHEMA, 7L));

        assertThat(RouterUnderTest.headerNames(event)).containsExactly("id", "eventType", "shard", "created_at");
        assertThat(RouterUnderTest.header(event, "shard")).isEqualTo(7L);
        assertThat(event.headers().lastWithName("shard").schema()).isEqualTo(Schema.INT64_SCHEMA);
        assertThat(RouterUnderTest.header(event, "created_at")).isNull();
    }

    @Test
    void aWholeNumberOfAnySizeNamesThePartition() {
        RouterUnderTest router = RouterUnderTest.with("table.fields.additional.placement", "shard:partition");

        assertThat(router.route(aRow().with("shard", Schema.INT32_SCHEMA, 3)).kafkaPartition())
                .isEqualTo(3);
        assertThat(router.route(aRow().with("shard", Schema.INT16_SCHEMA, (short) 4))
                        .kafkaPartition())
                .isEqualTo(4);
        assertThat(router.route(aRow().with("shard", Schema.INT64_SCHEMA, 5L)).kafkaPartition())
                .isEqualTo(5);
        assertThat(router.route(aRow().with("shard", Schema.OPTIONAL_INT32_SCHEMA, null))
                        .kafkaPartition())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Integer.MAX_VALUE})
    void theSmallestAndTheLargestPartitionAreTaken(long number) {
        RouterUnderTest router = RouterUnderTest.with("table.fields.additional.placement", "shard:partition");

        assertThat(router.route(aRow().with("shard", Schema.INT64_SCHEMA, number))
                        .kafkaPartition())
                .isEqualTo((int) number);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Integer.MAX_VALUE + 1L, Long.MIN_VALUE})
    void aNumberThatIsNoPartitionMakesADeadLetter(long number) {
        RouterUnderTest router = RouterUnderTest.with("table.fields.additional.placement", "shard:partition");

        SourceRecord letter =
                router.refuse(aRow().with("shard", Schema.INT64_SCHEMA, number), DeadLetterReason.PARTITION_INVALID);

        assertThat(letter.kafkaPartition()).isNull();
        assertThat(RouterUnderTest.header(letter, HeaderNames.ERROR_COLUMN)).isEqualTo("shard");
    }

    @Test
    void aPartitionOutOfAnotherTypeStopsTheTask() {
        RouterUnderTest router = RouterUnderTest.with("table.fields.additional.placement", "event_type:partition");

        assertThatThrownBy(() -> router.apply(aRow()))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("column event_type (table.fields.additional.placement)")
                .hasMessageContaining("whole number");
    }

    @Test
    void aMissingColumnStopsTheTaskUnlessItIsToBeIgnored() {
        RouterUnderTest strict = RouterUnderTest.with("table.fields.additional.placement", "region:header");
        RouterUnderTest lenient = RouterUnderTest.with(
                "table.fields.additional.placement", "region:header,shard:partition",
                "table.field.additional.missing", "ignore");

        assertThatThrownBy(() -> strict.apply(aRow()))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("no column region (table.fields.additional.placement)");
        assertThat(RouterUnderTest.headerNames(lenient.route(aRow()))).containsExactly("id");
    }
}
