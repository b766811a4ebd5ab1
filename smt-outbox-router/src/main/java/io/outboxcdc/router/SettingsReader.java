package io.outboxcdc.router;

import io.debezium.config.CommonConnectorConfig.FieldNameAdjustmentMode;
import io.debezium.schema.FieldNameSelector;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the options of one transform into {@link Settings}, or reports everything that is wrong with them at once. */
final class SettingsReader {

    /** Options of any transform that Connect itself acts on. */
    private static final Set<String> CONNECTS = Set.of("type", "predicate", "negate", "plugin.version");

    private static final Map<String, RouterOption> RENAMED =
            Map.of("table.fields.additional.error.on.missing", RouterOption.MISSING_PLACED);

    private final Set<String> given;
    private final Map<String, @Nullable Object> values;

    private SettingsReader(Set<String> given, Map<String, @Nullable Object> values) {
        this.given = given;
        this.values = values;
    }

    /**
     * @throws ConfigException if any option is unknown or has a value that is not accepted; its message
     *                         holds every problem
     */
    static Settings read(Map<String, ?> options) {
        Map<String, String> texts = new TreeMap<>();
        options.forEach((name, value) -> {
            if (value != null) {
                texts.put(name, value.toString());
            }
        });

        List<String> problems = new ArrayList<>();
        texts.keySet().forEach(name -> unknown(name).ifPresent(problems::add));
        Map<String, @Nullable Object> values = new HashMap<>();
        for (ConfigValue value : RouterOption.configDef().validate(texts)) {
            values.put(value.name(), value.value());
            problems.addAll(value.errorMessages());
        }
        if (!problems.isEmpty()) {
            throw new ConfigException("OutboxRouter cannot start, " + problems.size()
                    + (problems.size() == 1 ? " option is" : " options are") + " wrong:\n- "
                    + String.join("\n- ", problems));
        }
        return new SettingsReader(texts.keySet(), values).settings();
    }

    /** The value of an unknown option is not repeated: it may be a secret in the wrong place. */
    private static Optional<String> unknown(String name) {
        List<String> known =
                Arrays.stream(RouterOption.values()).map(option -> option.key).toList();
        if (known.contains(name) || CONNECTS.contains(name)) {
            return Optional.empty();
        }
        Optional<String> meant =
                Optional.ofNullable(RENAMED.get(name)).map(option -> option.key).or(() -> NearestName.of(name, known));
        return Optional.of("Unknown configuration " + name + ": there is no such option; "
                + meant.map(nearest -> "did you mean " + nearest + "?")
                        .orElseGet(() -> "there are " + String.join(", ", known)));
    }

    private Settings settings() {
        Optional<String> typeHeader = text(RouterOption.EVENT_TYPE_HEADER);
        boolean cloudEvents = (Boolean) value(RouterOption.CLOUDEVENTS);
        Settings.Columns columns = columns(typeHeader.isPresent() || cloudEvents);
        String deadLetterTopic = required(RouterOption.DEAD_LETTER_TOPIC);
        return new Settings(
                text(RouterOption.TABLES).map(TableFilter::of).orElse(TableFilter.EVERY_TABLE),
                columns,
                new Topics(
                        Pattern.compile(required(RouterOption.TOPIC_REGEX)),
                        required(RouterOption.TOPIC_REPLACEMENT),
                        Set.copyOf(entries(RouterOption.ALLOW_LIST)),
                        deadLetterTopic),
                typeHeader,
                Choice.parse(Choice.OnInvalidEvent.class, required(RouterOption.ON_INVALID)),
                deadLetterTopic,
                (Integer) value(RouterOption.MAX_BYTES),
                Choice.parse(Choice.SnapshotEvents.class, required(RouterOption.SNAPSHOT_EVENTS)),
                Choice.parse(Choice.OnUpdate.class, required(RouterOption.ON_UPDATE)),
                (Boolean) value(RouterOption.TOMBSTONES),
                expansion(),
                cloudEvents ? Optional.of(new CloudEvents(text(RouterOption.CLOUDEVENTS_SOURCE))) : Optional.empty(),
                text(RouterOption.MESSAGE_PREFIX).map(prefix -> new MessageReader(prefix, columns)));
    }

    private Optional<JsonExpansion> expansion() {
        if (!(Boolean) value(RouterOption.EXPAND_JSON)) {
            return Optional.empty();
        }
        Optional<Choice.NullMembers> nulls =
                text(RouterOption.NULL_MEMBERS).map(word -> Choice.parse(Choice.NullMembers.class, word));
        Optional<Choice.EmptyArrays> emptyArrays =
                text(RouterOption.EMPTY_ARRAYS).map(word -> Choice.parse(Choice.EmptyArrays.class, word));
        FieldNameSelector.FieldNamer<String> names = FieldNameSelector.defaultNonRelationalSelector(
                FieldNameAdjustmentMode.parse(required(RouterOption.NAME_ADJUSTMENT))
                        .createAdjuster());
        return Optional.of(new JsonExpansion(
                new ShapeFinder(
                        nulls.isPresent(),
                        nulls.equals(Optional.of(Choice.NullMembers.IGNORE)),
                        emptyArrays.equals(Optional.of(Choice.EmptyArrays.IGNORE))),
                required(RouterOption.PAYLOAD),
                names::fieldNameFor));
    }

    private Settings.Columns columns(boolean withEventType) {
        return new Settings.Columns(
                required(RouterOption.EVENT_ID),
                spellings(RouterOption.EVENT_KEY, "aggregate_id"),
                spellings(RouterOption.ROUTE_BY, "aggregate_type"),
                required(RouterOption.PAYLOAD),
                withEventType ? spellings(RouterOption.EVENT_TYPE, "event_type") : List.of(),
                text(RouterOption.HEADERS),
                text(RouterOption.TIMESTAMP),
                text(RouterOption.SCHEMA_VERSION),
                required(RouterOption.SPAN_CONTEXT),
                entries(RouterOption.PLACEMENTS).stream().map(Placement::parse).toList(),
                Choice.parse(Choice.OnMissingColumn.class, required(RouterOption.MISSING_PLACED))
                        == Choice.OnMissingColumn.IGNORE);
    }

    /** The column that was named; where none was, the stock router's default and the spelling of the supplied table. */
    private List<String> spellings(RouterOption option, String ours) {
        String column = required(option);
        return given.contains(option.key) ? List.of(column) : List.of(column, ours);
    }

    private List<String> entries(RouterOption option) {
        Object value = values.get(option.key);
        return value == null ? List.of() : Check.entries(value);
    }

    private Optional<String> text(RouterOption option) {
        return Optional.ofNullable((String) values.get(option.key));
    }

    private String required(RouterOption option) {
        return (String) value(option);
    }

    private Object value(RouterOption option) {
        Object value = values.get(option.key);
        if (value == null) {
            throw new IllegalStateException("Option " + option.key + " has no value, although it has a default");
        }
        return value;
    }
}
