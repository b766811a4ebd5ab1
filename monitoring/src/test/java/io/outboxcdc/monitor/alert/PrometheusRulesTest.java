package io.outboxcdc.monitor.alert;

import io.outboxcdc.monitor.metric.Metric;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** The files beside the code are what the code says. */
class PrometheusRulesTest {

    private static final Path FOLDER = Path.of("prometheus");
    private static final Path RULES = FOLDER.resolve("outbox-slot-alerts.yml");
    private static final Path TESTS = FOLDER.resolve("outbox-slot-alerts.test.yml");
    private static final Path RUNBOOK = Path.of("../docs/how-to/react-to-a-slot-alert.md");
    private static final String WRITE = "slot-monitor.write";

    @Test
    void theFileIsWrittenFromTheRules() throws IOException {
        String expected = PrometheusRules.file("docs/how-to/react-to-a-slot-alert.md");
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(RULES, expected);
        }

        assertThat(Files.readString(RULES))
                .as("write it anew: mvn test -pl monitoring -Dtest=PrometheusRulesTest -DargLine=-D%s=true", WRITE)
                .isEqualTo(expected);
    }

    @Test
    void everyRuleHasItsSectionInTheRunbook() throws IOException {
        List<String> headings = Files.readAllLines(RUNBOOK);

        for (String name : names()) {
            assertThat(headings).as("sections of %s", RUNBOOK).contains("## " + name);
        }
    }

    @Test
    void everyRuleIsTestedToFireAndNotToFireOnALookAlike() throws IOException {
        String tests = Files.readString(TESTS);

        for (String name : names()) {
            Pattern checks = Pattern.compile("alertname: " + name + "\\n\\s+exp_alerts:( \\[])?");
            Matcher matcher = checks.matcher(tests);
            Set<Boolean> found = new HashSet<>();
            while (matcher.find()) {
                found.add(matcher.group(1) == null);
            }
            assertThat(found).as(name).containsExactlyInAnyOrder(true, false);
        }
    }

    /** CI has promtool; whoever has not sees the test skipped. */
    @Test
    void promtoolFindsTheRulesGoodAndItsTestsPass() throws Exception {
        boolean there = run(List.of("sh", "-c", "command -v promtool"), "").exitCode == 0;
        if (!"true".equals(System.getenv("CI"))) {
            assumeThat(there).as("promtool is installed").isTrue();
        }

        Outcome check =
                run(List.of("promtool", "check", "rules", RULES.getFileName().toString()), "check");
        Outcome test =
                run(List.of("promtool", "test", "rules", TESTS.getFileName().toString()), "test");

        assertThat(check.exitCode).as(check.output).isZero();
        assertThat(test.exitCode).as(test.output).isZero();
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(
                Arrays.stream(AlertRule.values()).map(AlertRule::alertName).toList());
        names.add("OutboxMonitorSilent");
        return names;
    }

    private record Outcome(int exitCode, String output) {}

    private static Outcome run(List<String> command, String name) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(name).isTrue();
        return new Outcome(process.exitValue(), output);
    }

    @Test
    void theDashboardShowsOnlyMetricsThatAreProduced() throws IOException {
        Set<String> produced = new HashSet<>();
        Arrays.stream(Metric.values()).map(Metric::queryName).forEach(produced::add);
        Matcher used =
                Pattern.compile("outbox_slot_[a-z_]+").matcher(Files.readString(Path.of("grafana/outbox-slots.json")));
        Set<String> names = new HashSet<>();
        while (used.find()) {
            names.add(used.group());
        }

        assertThat(names).isNotEmpty().isSubsetOf(produced);
    }
}
