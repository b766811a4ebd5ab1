package io.outboxcdc.router;

import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The reference pages are made from the code. To write them anew after a change:
 * {@code mvn -pl smt-outbox-router test -Dtest=ReferencePagesTest -Ddocs.write=true}.
 */
class ReferencePagesTest {

    private static final Path REFERENCE = Path.of("..", "docs", "reference");
    private static final String HINT =
            "stale; run: mvn -pl smt-outbox-router test -Dtest=ReferencePagesTest -Ddocs.write=true";

    @Test
    void theOptionsPageIsWhatTheCodeSays() throws IOException {
        assertIsOrWrite("router-options.md", optionsPage());
    }

    @Test
    void theDeadLetterPageIsWhatTheCodeSays() throws IOException {
        assertIsOrWrite("dead-letter-reasons.md", reasonsPage());
    }

    @Test
    void theMetricsPageIsWhatTheCodeSays() throws IOException {
        assertIsOrWrite("router-metrics.md", metricsPage());
    }

    private static void assertIsOrWrite(String file, String expected) throws IOException {
        Path page = REFERENCE.resolve(file);
        if (Boolean.getBoolean("docs.write")) {
            Files.createDirectories(REFERENCE);
            Files.writeString(page, expected);
        }
        assertThat(page).as(HINT).exists().hasContent(expected);
    }

    private static String optionsPage() {
        StringBuilder page = new StringBuilder("""
                # Options of OutboxRouter

                Made from the code; do not edit. Set each as `transforms.<alias>.<option>` with
                `transforms.<alias>.type` = `io.outboxcdc.router.OutboxRouter`. Options that Debezium's outbox event router has
                too keep their names and defaults. All options are checked when the task starts, and all problems are reported
                together; `PUT /connector-plugins/{connector}/config/validate` shows them before, except for unknown names.
                """);
        for (RouterOption.Group group : RouterOption.Group.values()) {
            page.append("\n## ").append(group.title).append('\n');
            Arrays.stream(RouterOption.values())
                    .filter(option -> option.group == group)
                    .forEach(option -> page.append(section(option)));
        }
        return page.toString();
    }

    private static String section(RouterOption option) {
        Object value = option.kind.defaultValue();
        String accepted = option.kind.check().toString();
        return "\n### `" + option.key + "`\n\n" + option.doc + "\n\n"
                + "- Type: " + typeOf(option) + "\n"
                + (accepted.isEmpty() ? "" : "- Accepted: " + accepted + "\n")
                + "- Default: " + (value == null ? "(not set)" : "`" + value + "`") + "\n"
                + "- Importance: " + option.importance.name().toLowerCase(Locale.ROOT) + "\n";
    }

    private static String typeOf(RouterOption option) {
        ConfigDef.Type type = option.kind.type();
        return switch (type) {
            case BOOLEAN -> "`true` or `false`";
            case INT -> "whole number";
            case LIST -> "list";
            default -> "text";
        };
    }

    private static String metricsPage() {
        StringBuilder page = new StringBuilder("""
                # Metrics of OutboxRouter

                Made from the code; do not edit. The worker shows them over JMX, as attributes of the MBean
                `kafka.connect:type=plugins,connector=<connector>,task=<task>,transformation=<alias>`; one with a tag is an
                attribute of an MBean with the tag at the end of its name, such as `...,reason=KEY_MISSING`. All are there
                from the start of the task and begin at 0 whenever it starts.

                | Attribute | Tag | Counts |
                | --- | --- | --- |
                """);
        Map<String, RouterMetric> byName = new LinkedHashMap<>();
        Map<String, List<String>> tags = new LinkedHashMap<>();
        for (RouterMetric metric : RouterMetric.of(new LocalCounts())) {
            byName.put(metric.name(), metric);
            metric.tag()
                    .forEach((tag, value) -> tags.computeIfAbsent(metric.name(), name -> new ArrayList<>())
                            .add("`" + tag + "=" + value + "`"));
        }
        byName.forEach((name, metric) -> page.append("| `%s` | %s | %s |\n"
                .formatted(name, String.join(", ", tags.getOrDefault(name, List.of())), metric.meaning())));
        return page.toString();
    }

    private static String reasonsPage() {
        StringBuilder page = new StringBuilder("""
                # Dead letters

                Made from the code; do not edit. A row that makes no legal event goes to `dead.letter.topic`, unless
                `on.invalid.event` is `fail`. Later rows of its aggregate flow on, so its order is given up.

                ## Record

                The value is the row as one JSON text: each column under its own name, text as a string that was never parsed,
                bytes in base64. Where the record would be larger than `max.record.bytes`, the payload is left out: it is
                `null`, and `payload_omitted_bytes` holds its size. Other columns follow in the same way, the largest first,
                where that is not enough. The row is whole in the outbox table.

                The key is the event's key, if there is one that is not larger than a quarter of `max.record.bytes`. The time
                is that of the change.

                | Header | Content |
                | --- | --- |
                | `outbox.error.reason` | one of the codes below |
                | `outbox.error.message` | which row, which column, what is wrong, what to do; no value but the event's id |
                | `outbox.error.column` | the column at fault; not there when it is the record as a whole |
                | `id` | the event's id, if there is one |
                | `outbox.source.lsn` | the position in the WAL, as PostgreSQL writes it: `0/16B3748` |
                | `outbox.source.tx` | the id of the transaction |

                ## Reasons

                | Code | Meaning | Remedy |
                | --- | --- | --- |
                """);
        for (DeadLetterReason reason : DeadLetterReason.values()) {
            page.append("| `%s` | %s | %s |\n".formatted(reason.name(), reason.meaning, reason.remedy));
        }
        return page.toString();
    }
}
