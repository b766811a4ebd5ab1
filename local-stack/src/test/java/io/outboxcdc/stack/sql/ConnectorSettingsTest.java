package io.outboxcdc.stack.sql;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

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

    private static final Pattern ROW =
            Pattern.compile("^\\| `([^`]+)` \\| `([^`]*)` \\| (\\S.*) \\|$", Pattern.MULTILINE);

    @Test
    void eachSettingOfTheConnectorHasARowWithItsValueAndReason() throws IOException {
        Map<String, String> file = new ObjectMapper()
                .readValue(
                        HOME.resolve("connector-configs/outbox-connector.json").toFile(), new TypeReference<>() {});

        Map<String, String> page = rows("outbox-connector.json");

        assertThat(page).containsExactlyInAnyOrderEntriesOf(file);
    }

    @Test
    void theTableFreeVariantDiffersFromTheConnectorByWhatItsSectionSays() throws IOException {
        Map<String, String> expected = new TreeMap<>(new ObjectMapper()
                .readValue(
                        HOME.resolve("connector-configs/outbox-connector.json").toFile(),
                        new TypeReference<Map<String, String>>() {}));
        Map<String, String> file = new ObjectMapper()
                .readValue(
                        HOME.resolve("connector-configs/outbox-connector-table-free.json")
                                .toFile(),
                        new TypeReference<>() {});

        expected.putAll(rows("outbox-connector-table-free.json"));

        assertThat(file).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void theFileWithoutExactlyOnceDiffersInTheSettingsThatThePageNames() throws IOException {
        Map<String, String> file = new ObjectMapper()
                .readValue(
                        HOME.resolve("connector-configs/outbox-connector-at-least-once.json")
                                .toFile(),
                        new TypeReference<>() {});

        Map<String, String> expected = rows("outbox-connector.json");
        String page = Files.readString(PAGE);
        String section = page.substring(page.indexOf("## outbox-connector-at-least-once.json"));
        expected.keySet()
                .removeIf(name ->
                        section.substring(0, section.indexOf("(A worker")).contains("`" + name + "`"));
        assertThat(file)
                .containsExactlyInAnyOrderEntriesOf(expected)
                .hasSizeLessThan(rows("outbox-connector.json").size());
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

    @Test
    void theConnectorHoldsNoSecretInClear() throws IOException {
        Map<String, String> file = new ObjectMapper()
                .readValue(
                        HOME.resolve("connector-configs/outbox-connector.json").toFile(), new TypeReference<>() {});

        assertThat(file)
                .allSatisfy((name, value) -> assertThat(
                                name.matches(".*(password|secret|jaas|key\\.pem).*") && !value.matches("\\$\\{.+}"))
                        .as("%s is a reference", name)
                        .isFalse());
    }

    private static Map<String, String> rows(String section) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("\n## " + section + "\n");
        assertThat(start).as("section %s of %s", section, PAGE).isNotNegative();
        int end = page.indexOf("\n## ", start + 1);
        Matcher row = ROW.matcher(page.substring(start, end));
        Map<String, String> rows = new TreeMap<>();
        while (row.find()) {
            assertThat(rows.put(row.group(1), row.group(2)))
                    .as("a second row for %s", row.group(1))
                    .isNull();
        }
        return rows;
    }
}
