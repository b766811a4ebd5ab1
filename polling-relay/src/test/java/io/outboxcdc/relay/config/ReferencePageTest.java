package io.outboxcdc.relay.config;

import io.outboxcdc.relay.serve.RelayMetric;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** The tables of the reference page are what the code declares. */
class ReferencePageTest {

    private static final Path PAGE = Path.of("../docs/reference/polling-relay.md");

    @Test
    void theTableOfOptionsIsWhatIsDeclared() throws IOException {
        Map<String, ConfigKey> keys = RelayOption.definition().configKeys();
        check(
                "options",
                "| Option | Default | Values | Meaning |\n| --- | --- | --- | --- |\n"
                        + Arrays.stream(RelayOption.values())
                                .map(option -> row(Objects.requireNonNull(keys.get(option.key()))))
                                .collect(Collectors.joining()));
    }

    @Test
    void theTableOfRouterDefaultsIsWhatIsUsed() throws IOException {
        check(
                "router",
                "| Option | Default |\n| --- | --- |\n"
                        + new TreeMap<>(ConfigurationReader.routerDefaults())
                                .entrySet().stream()
                                        .map(option -> "| `%s%s` | `%s` |\n"
                                                .formatted(RelayOption.ROUTER, option.getKey(), option.getValue()))
                                        .collect(Collectors.joining()));
    }

    @Test
    void theTableOfMetricsIsWhatIsDeclared() throws IOException {
        check(
                "metrics",
                "| Metric | Meaning |\n| --- | --- |\n"
                        + Arrays.stream(RelayMetric.values())
                                .map(metric -> "| `%s` | %s |\n".formatted(metric.queryName(), metric.help()))
                                .collect(Collectors.joining()));
    }

    private static String row(ConfigKey key) {
        boolean ranged = key.validator instanceof ConfigDef.Range;
        return "| `%s` | %s | %s | %s |\n"
                .formatted(key.name, byDefault(key), ranged ? key.validator.toString() : "", key.documentation);
    }

    private static String byDefault(ConfigKey key) {
        if (!key.hasDefault()) {
            return "needed";
        }
        if (key.type == ConfigDef.Type.PASSWORD) {
            return "";
        }
        return key.defaultValue instanceof List<?> list
                ? "`" + list.stream().map(String::valueOf).collect(Collectors.joining(",")) + "`"
                : "`" + key.defaultValue + "`";
    }

    private static void check(String section, String expected) throws IOException {
        String page = Files.readString(PAGE);
        String begin = "<!-- begin " + section + " -->\n";
        String end = "<!-- end " + section + " -->";
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(end);
        if (Boolean.getBoolean("docs.write")) {
            page = page.substring(0, from) + expected + page.substring(to);
            Files.writeString(PAGE, page);
            to = page.indexOf(end);
        }

        assertThat(page.substring(from, to))
                .as("write it anew: mvn test -pl smt-outbox-router,polling-relay -Dtest=ReferencePageTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true")
                .isEqualTo(expected);
    }
}
