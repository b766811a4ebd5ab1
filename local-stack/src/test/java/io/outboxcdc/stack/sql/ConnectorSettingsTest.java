package io.outboxcdc.stack.sql;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** The reference page would otherwise fall behind the files: each setting has a row with its value, and nothing else has. */
class ConnectorSettingsTest {
    private static final Path HOME =
            Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();

    private static final Path PAGE = HOME.resolve("docs/reference/connector-settings.md");

    private static final String CONNECTOR = "outbox-connector.json";
    private static final Pattern ROW =
            Pattern.compile("^\\| `([^`]+)` \\| `([^`]*)` \\| (\\S.*) \\|$", Pattern.MULTILINE);

    @Test
    void eachSettingOfTheConnectorHasARowWithItsValueAndReason() throws IOException {
        assertThat(rows(CONNECTOR)).containsExactlyInAnyOrderEntriesOf(settings(CONNECTOR));
    }

    @Test
    void theTableFreeVariantDiffersFromTheConnectorByWhatItsSectionSays() throws IOException {
        Map<String, String> expected = settings(CONNECTOR);
        expected.putAll(rows("outbox-connector-table-free.json"));

        assertThat(settings("outbox-connector-table-free.json")).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void theFileWithoutExactlyOnceLacksTheSettingsThatItsSectionNames() throws IOException {
        String section = section("outbox-connector-at-least-once.json");
        Map<String, String> expected = settings(CONNECTOR);
        expected.keySet().removeIf(name -> section.contains("`" + name + "`"));

        assertThat(expected).hasSize(settings(CONNECTOR).size() - 3);
        assertThat(settings("outbox-connector-at-least-once.json")).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void eachSettingOfTheWorkerHasARowWithItsValueAndReason() throws IOException {
        Properties file = new Properties();
        try (Reader reader = Files.newBufferedReader(HOME.resolve("connector-configs/connect-worker.properties"))) {
            file.load(reader);
        }

        Map<String, String> page = rows("connect-worker.properties");

        Map<String, String> expected = new TreeMap<>();
        file.stringPropertyNames().forEach(name -> expected.put(name, file.getProperty(name)));
        assertThat(page).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTOR, "outbox-connector-table-free.json", "outbox-connector-at-least-once.json"})
    void noConnectorHoldsASecretInClear(String file) throws IOException {
        assertThat(settings(file))
                .allSatisfy((name, value) -> assertThat(
                                name.matches(".*(password|secret|jaas|key\\.pem).*") && !value.matches("\\$\\{.+}"))
                        .as("%s is a reference", name)
                        .isFalse());
    }

    private static Map<String, String> settings(String file) throws IOException {
        return new TreeMap<>(new ObjectMapper()
                .readValue(
                        HOME.resolve("connector-configs").resolve(file).toFile(),
                        new TypeReference<Map<String, String>>() {}));
    }

    private static Map<String, String> rows(String section) throws IOException {
        Matcher row = ROW.matcher(section(section));
        Map<String, String> rows = new TreeMap<>();
        while (row.find()) {
            assertThat(rows.put(row.group(1), row.group(2)))
                    .as("a second row for %s", row.group(1))
                    .isNull();
        }
        return rows;
    }

    private static String section(String name) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("\n## " + name + "\n");
        assertThat(start).as("section %s of %s", name, PAGE).isNotNegative();
        return page.substring(start, page.indexOf("\n## ", start + 1));
    }
}
