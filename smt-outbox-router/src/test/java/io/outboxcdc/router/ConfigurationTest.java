package io.outboxcdc.router;

import io.debezium.transforms.outbox.EventRouter;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Wrong options are found before the first row. */
class ConfigurationTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "table.fields.additional.placement | event_type:heder | header, envelope or partition",
                "table.fields.additional.placement | event_type | column:placement",
                "table.fields.additional.placement | :header | column:placement",
                "table.fields.additional.placement | event_type:header: | column:placement",
                "table.fields.additional.placement | event_type:envelope:payload | no field of the envelope payload",
                "table.fields.additional.placement | a:envelope:x,b:envelope:x | named twice",
                "table.fields.additional.placement | event_type:header:ID | no header is named id",
                "table.fields.additional.placement | a:header:x,b:header:x | named twice",
                "table.fields.additional.placement | a:header,,b:header | column:placement",
                "route.topic.regex | ([ | regular expression",
                // As other dialects write a named group.
                "route.topic.regex | (?P<routedByValue>.*) | regular expression",
                "route.topic.replacement | x.${nothing} | No group with name",
                "route.topic.replacement | x.$2 | No group 2",
                "route.topic.replacement | a/${routedByValue} | topic name",
                "route.topic.replacement | '' | topic name",
                "dead.letter.topic | '' | topic name",
                "dead.letter.topic | a b | topic name",
                "dead.letter.topic | outbox.event.Order | would be routed to it",
                "route.topic.allow.list | Order,a/b | can never be an event",
                "route.topic.allow.list | '' | without empty entries",
                "table.include.list | public.( | regular expressions",
                "table.include.list | '' | regular expressions",
                "table.field.event.id | '' | the name of a column",
                "event.type.header | id | header name",
                "event.type.header | Outbox.type | header name",
                "on.invalid.event | skip | one of dead-letter, fail",
                "snapshot.events | maybe | one of route, drop",
                "table.op.invalid.behavior | wran | one of warn, error, fatal",
                "table.field.additional.missing | no | one of error, ignore",
                "max.record.bytes | 0 | 1 or more",
                "max.record.bytes | 1MB | Not a number",
                "route.tombstone.on.empty.payload | yes | either true or false",
                "table.expand.json.payload | 1 | either true or false",
                "table.json.payload.null.behavior | keep | one of ignore, optional_bytes",
                "table.json.payload.empty.array.behavior | optional-string | one of ignore, optional_string",
                "field.name.adjustment.mode | upper | one of none, avro, avro_unicode",
                "cloudevents.headers | on | either true or false",
                "cloudevents.source | a b | URI reference",
                "message.prefix | '' | not blank"
            })
    void aWrongOptionIsNamedWithItsValueAndWhatIsAccepted(String option, String value, String accepted) {
        assertThatThrownBy(() -> RouterUnderTest.with(option, value))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(option)
                .hasMessageContaining(value.isEmpty() ? option : value.split(",", 2)[0])
                .hasMessageContaining(accepted);
    }

    @ParameterizedTest
    @CsvSource({
        "event.type.header, ce_type, belongs to cloudevents.headers",
        "table.fields.additional.placement, a:header:Content-Type, belongs to cloudevents.headers"
    })
    void aHeaderOfCloudEventsIsNoOthersWhereTheyAreOn(String option, String value, String problem) {
        assertThatCode(() -> RouterUnderTest.with(option, value)).doesNotThrowAnyException();
        assertThatThrownBy(() -> RouterUnderTest.with(option, value, "cloudevents.headers", "true"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(option)
                .hasMessageContaining(problem);
    }

    @Test
    void allProblemsComeInOneException() {
        assertThatThrownBy(() -> RouterUnderTest.with(
                        "route.topic.regex", "([",
                        "on.invalid.event", "skip",
                        "tabel.field.event.key", "k",
                        "max.record.bytes", "-1"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("4 options are wrong")
                .hasMessageContaining("route.topic.regex")
                .hasMessageContaining("on.invalid.event")
                .hasMessageContaining("tabel.field.event.key")
                .hasMessageContaining("max.record.bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "tabel.field.event.key, table.field.event.key",
        "table.field.payload, table.field.event.payload",
        "route.topic.allowlist, route.topic.allow.list",
        "table.fields.additional.error.on.missing, table.field.additional.missing"
    })
    void anUnknownOptionIsRefusedWithTheNearestName(String unknown, String meant) {
        assertThatThrownBy(() -> RouterUnderTest.with(unknown, "x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(unknown)
                .hasMessageContaining("did you mean " + meant + "?");
    }

    @Test
    void anOptionThatIsLikeNoneIsRefusedWithAllThatThereAre() {
        assertThatThrownBy(() -> RouterUnderTest.with("zzz", "x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Unknown configuration zzz")
                .hasMessageContaining("there are ")
                .hasMessageContaining("dead.letter.topic")
                .hasMessageNotContaining("did you mean");
    }

    @Test
    void aHeaderAndAFieldOfTheEnvelopeMayBearOneName() {
        assertThatCode(() -> RouterUnderTest.with("table.fields.additional.placement", "a:header:x,b:envelope:x"))
                .doesNotThrowAnyException();
        assertThatCode(() -> RouterUnderTest.with(
                        "table.fields.additional.placement", "a:envelope:kind", "event.type.header", "kind"))
                .doesNotThrowAnyException();
    }

    @Test
    void connectsOwnOptionsAreLeftToConnect() {
        assertThatCode(() -> RouterUnderTest.with(
                        "type", OutboxRouter.class.getName(),
                        "predicate", "p",
                        "negate", "true",
                        "plugin.version", "1"))
                .doesNotThrowAnyException();
    }

    @Test
    void blanksAroundNamesAndOneCommaTooManyAreAccepted() {
        assertThatCode(() -> RouterUnderTest.with(
                        "table.fields.additional.placement", " a : header , b:partition ,",
                        "on.invalid.event", " FAIL "))
                .doesNotThrowAnyException();
    }

    @Test
    void theDeadLetterTopicMayLieAmongEventTopicsThatTheAllowListRulesOut() {
        assertThatCode(() -> RouterUnderTest.with(
                        "dead.letter.topic", "outbox.event.dead",
                        "route.topic.allow.list", "Order"))
                .doesNotThrowAnyException();
        assertThatCode(() -> RouterUnderTest.with("route.topic.replacement", "${routedByValue}"))
                .doesNotThrowAnyException();
    }

    /** Connect's validation runs the definition only, and hands null to a validator after a failed parse. */
    @Test
    void connectsValidationShowsEveryProblemUnderItsOption() {
        Map<String, String> wrong = RouterUnderTest.options(
                "route.topic.replacement", "${nothing}", "max.record.bytes", "many", "on.invalid.event", "skip");

        Set<String> named = new HashSet<>();
        for (ConfigValue value : new OutboxRouter<SourceRecord>().config().validate(wrong)) {
            assertThat(value.visible()).as(value.name()).isTrue();
            if (!value.errorMessages().isEmpty()) {
                assertThat(value.errorMessages()).hasSize(1);
                named.add(value.name());
            }
        }

        assertThat(named).containsExactlyInAnyOrder("route.topic.replacement", "max.record.bytes", "on.invalid.event");
    }

    /** Connect puts the definition under the transform's own prefix, together with all others. */
    @Test
    void contradictionsAreFoundUnderConnectsPrefixToo() {
        ConfigDef connector = new ConfigDef();
        connector.embed("transforms.outbox.", "Transforms: outbox", 0, new OutboxRouter<SourceRecord>().config());

        Set<String> named = new HashSet<>();
        for (ConfigValue value :
                connector.validate(RouterUnderTest.options("transforms.outbox.dead.letter.topic", "outbox.event.x"))) {
            if (!value.errorMessages().isEmpty()) {
                named.add(value.name());
            }
        }

        assertThat(named).containsExactly("transforms.outbox.dead.letter.topic");
    }

    @Test
    void theValueOfAnUnknownOptionIsNotRepeated() {
        assertThatThrownBy(() -> RouterUnderTest.with("database.password", "s3cret"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("database.password")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void validatorsAcceptNull() {
        for (ConfigDef.ConfigKey key :
                new OutboxRouter<SourceRecord>().config().configKeys().values()) {
            assertThat(key.validator).isNotNull();
            assertThatCode(() -> key.validator.ensureValid(key.name, null)).doesNotThrowAnyException();
        }
    }

    @Test
    void everyStockOptionKeepsItsTypeAndDefault() {
        Map<String, ConfigDef.ConfigKey> ours =
                new OutboxRouter<SourceRecord>().config().configKeys();
        Map<String, ConfigDef.ConfigKey> stock =
                new EventRouter<SourceRecord>().config().configKeys();

        stock.forEach((name, key) -> {
            assertThat(ours.get(name)).as(name).isNotNull().satisfies(our -> {
                assertThat(our.type()).isEqualTo(key.type());
                // By default nothing is left out of a document: these two act only when they are set.
                if (!name.startsWith("table.json.payload.")) {
                    assertThat(our.defaultValue).isEqualTo(key.defaultValue);
                }
            });
        });
    }

    @Test
    void debeziumsDescriptionHoldsTheSameOptions() {
        Map<String, String> described = new HashMap<>();
        new OutboxRouter<SourceRecord>()
                .getConfigFields()
                .forEach(field -> described.put(field.name(), String.valueOf(field.defaultValueAsString())));

        Map<String, String> defined = new HashMap<>();
        new OutboxRouter<SourceRecord>()
                .config()
                .configKeys()
                .forEach((name, key) -> defined.put(name, String.valueOf(key.defaultValue)));
        assertThat(described).isEqualTo(defined);
    }

    @Test
    void aSecondConfigurationTakesThePlaceOfTheFirst() {
        RouterUnderTest router = RouterUnderTest.with("table.fields.additional.placement", "event_type:envelope");
        router.route(OutboxRow.aRow());

        router.router.configure(RouterUnderTest.options("route.topic.replacement", "second.${routedByValue}"));

        SourceRecord event = router.route(OutboxRow.aRow());
        assertThat(event.topic()).isEqualTo("second.Order");
        assertThat(event.value()).isEqualTo("{\"a\": 1}");
    }

    @Test
    void aRouterThatWasNotConfiguredSaysSo() {
        assertThatThrownBy(() -> new OutboxRouter<SourceRecord>().apply(OutboxRow.tombstone("outbox")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("configure");
    }
}
