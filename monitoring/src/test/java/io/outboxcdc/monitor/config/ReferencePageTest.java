package io.outboxcdc.monitor.config;

import io.outboxcdc.monitor.metric.Metric;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** The tables of the reference page are what the code declares. */
class ReferencePageTest {

    private static final Path PAGE = Path.of("../docs/reference/slot-monitor.md");
    private static final String WRITE = "slot-monitor.write";

    @Test
    void theTableOfOptionsIsWhatIsDeclared() throws IOException {
        check(
                "options",
                "| Option | Default | Meaning |\n| --- | --- | --- |\n"
                        + Arrays.stream(Option.values())
                                .map(option -> "| `%s` | %s | %s |\n"
                                        .formatted(
                                                option.key(),
                                                option.byDefault()
                                                        .map(value -> value.isEmpty() ? "" : "`" + value + "`")
                                                        .orElse("needed"),
                                                option.meaning()))
                                .collect(Collectors.joining()));
    }

    @Test
    void theTableOfMetricsIsWhatIsDeclared() throws IOException {
        check(
                "metrics",
                "| Metric | Labels | Meaning |\n| --- | --- | --- |\n"
                        + Arrays.stream(Metric.values())
                                .map(metric -> "| `%s` | %s | %s |\n"
                                        .formatted(
                                                metric.queryName(),
                                                String.join(", ", metric.of().labels()),
                                                metric.help()))
                                .collect(Collectors.joining()));
    }

    private static void check(String section, String expected) throws IOException {
        String page = Files.readString(PAGE);
        String begin = "<!-- begin " + section + " -->\n";
        String end = "<!-- end " + section + " -->";
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(end);
        if (Boolean.getBoolean(WRITE)) {
            page = page.substring(0, from) + expected + page.substring(to);
            Files.writeString(PAGE, page);
            to = page.indexOf(end);
        }

        assertThat(page.substring(from, to))
                .as("write it anew: mvn test -pl monitoring -Dtest=ReferencePageTest -DargLine=-D%s=true", WRITE)
                .isEqualTo(expected);
    }
}
