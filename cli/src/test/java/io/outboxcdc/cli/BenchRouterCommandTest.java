package io.outboxcdc.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

/** What would break: a comparison that nobody can repeat. How quick anything is, no test asserts. */
class BenchRouterCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** JMH allows one run on a machine, whoever's it is. */
    @BeforeAll
    static void runBesideOthers() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    @Test
    void aQuickRunWritesOurAndTheStockRoutersCostOfEachCase() throws IOException {
        Path json = folder.resolve("router.json");

        int exit = execute(
                "bench",
                "router",
                "--quick",
                "--case",
                "default-options",
                "--case",
                "dead-letter",
                "--json",
                "" + json);

        assertThat(exit).as(err.toString()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.get("cases")).hasSize(2);
        for (JsonNode result : report.get("cases")) {
            for (String cost : new String[] {"ns", "bytes"}) {
                double ours = result.get("ours_" + cost + "_per_record").doubleValue();
                double stock = result.get("stock_" + cost + "_per_record").doubleValue();
                String ratio = cost.equals("ns") ? "time_ratio" : "allocation_ratio";
                assertThat(ours).isPositive();
                assertThat(stock).isPositive();
                assertThat(result.get(ratio).doubleValue()).isCloseTo(ours / stock, offset(0.01));
            }
        }
        assertThat(report.get("stock_version").textValue()).startsWith("3.");
        assertThat(out.toString()).contains("default-options", "dead-letter", "ratio");
        assertThat(err.toString()).contains("case 2 of 2, dead-letter: stock router, round 1 of 1");
    }

    @Test
    void anUnknownCaseAndAFileInNoFolderAreRefusedBeforeAnythingIsMeasured() {
        assertThat(execute("bench", "router", "--case", "defaults")).isEqualTo(2);
        assertThat(err.toString()).contains("'defaults' is none of default-options, headers-column");
        assertThat(execute(
                        "bench",
                        "router",
                        "--json",
                        folder.resolve("none/router.json").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no file in an existing folder").doesNotContain("round 1");
    }

    private int execute(String... arguments) {
        CommandLine commandLine = Outboxctl.commandLine(new Interruption());
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
