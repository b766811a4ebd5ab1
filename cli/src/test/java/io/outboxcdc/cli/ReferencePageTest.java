package io.outboxcdc.cli;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** What would break: a reference page that tells of options that are no longer there. */
class ReferencePageTest {

    private static final Path PAGE = Path.of("../docs/reference/outboxctl.md");

    @Test
    void thePageSaysWhatTheCommandsSay() throws IOException {
        String expected = page();
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, expected);
        }

        assertThat(PAGE)
                .as("write it anew with: mvn test -pl cli -am -Ddocs.write=true"
                        + " -Dtest=ReferencePageTest -Dsurefire.failIfNoSpecifiedTests=false")
                .content()
                .isEqualTo(expected);
    }

    private static String page() {
        CommandLine root = Outboxctl.commandLine(new Interruption());
        StringBuilder page = new StringBuilder("""
                # outboxctl

                Exit codes: 0 when all went well, 1 when something failed, 2 when the arguments were wrong, 130 when it was
                interrupted before it could end in order. `verify` has two more. What went wrong is said on the error stream.

                `up` prints one line `NAME=value` each for `JDBC_URL` (with the password of the embedded database, never with
                that of a given one), `KAFKA_BOOTSTRAP_SERVERS`, `CONNECT_URL`, `POSTGRES_PID` (not with `--jdbc-url`),
                `KAFKA_PID`, `CONNECT_PID` and `MONITOR_URL`, where the slot monitor's page is. `demo` prints the last one on
                the error stream once the first event has arrived, unless it ends by itself.
                """);
        section(page, root);
        return page.toString();
    }

    private static void section(StringBuilder page, CommandLine command) {
        page.append("\n## ")
                .append(command.getCommandSpec().qualifiedName())
                .append("\n\n```\n")
                .append(command.getUsageMessage(Ansi.OFF))
                .append("```\n");
        for (Map.Entry<String, CommandLine> subcommand :
                command.getSubcommands().entrySet()) {
            if (!subcommand.getKey().equals("help")) {
                section(page, subcommand.getValue());
            }
        }
    }
}
