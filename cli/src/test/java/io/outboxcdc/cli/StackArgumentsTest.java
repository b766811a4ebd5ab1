package io.outboxcdc.cli;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** What would break: a command that does something with arguments that make no sense. */
class StackArgumentsTest {

    record Case(List<String> arguments, String complaint) {

        /** The complaint, a suggestion if the option is unknown, and where help is. */
        int lines() {
            return complaint.startsWith("Unknown") ? 3 : 2;
        }
    }

    static List<Case> contradictions() {
        return List.of(
                new Case(List.of("up", "--apply-sql"), "--apply-sql goes with --jdbc-url"),
                new Case(List.of("up", "--take-slot"), "--take-slot goes with --jdbc-url"),
                new Case(List.of("up", "--kafka-prot"), "Unknown option: '--kafka-prot'"),
                new Case(
                        List.of("up", "--jdbc-url", "jdbc:postgresql://h/db?user=u", "--postgres-port", "5432"),
                        "--jdbc-url and --postgres-port exclude each other"),
                new Case(List.of("up", "--work-folder", ""), "--work-folder is empty"),
                new Case(List.of("up", "--kafka-port", "9", "--connect-port", "9"), "Port 9 is asked for 2 times"),
                new Case(List.of("up", "--kafka-port", "70000"), "--kafka-port is 70000"),
                new Case(List.of("up", "--jdbc-url", "postgres://h/db"), "--jdbc-url"),
                new Case(List.of("maintain"), "Missing required option: '--jdbc-url=URL'"),
                new Case(List.of("maintain", "--jdbc-url", "postgres://h/db"), "--jdbc-url"),
                new Case(List.of("demo", "--exit"), "--exit needs --events"),
                new Case(List.of("demo", "--events", "0"), "--events is 0"),
                new Case(List.of("demo", "--rate", "0"), "--rate is 0.0"),
                new Case(List.of("verify", "--jdbc-url", "u"), "--bootstrap-servers is missing"),
                verify("--since: 'yesterday' is no time", "--since", "yesterday"),
                verify("--since is ", "--since", "1h", "--until", "2h"),
                verify("--grace: '5' is no duration", "--grace", "5"),
                verify("--order-by: 'payload:v' is no source", "--order-by", "payload:v"),
                verify("--topics: '[' is no regular expression", "--topics", "["),
                verify("--kafka-config: the file no.file cannot be read", "--kafka-config", "no.file"),
                verify("--temp-folder is no.folder", "--temp-folder", "no.folder"));
    }

    private static Case verify(String complaint, String... more) {
        return new Case(
                Stream.concat(Stream.of("verify", "--jdbc-url", "u", "--bootstrap-servers", "s:1"), Stream.of(more))
                        .toList(),
                complaint);
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void contradictionsAreUsageErrorsThatNameTheOption(Case wrong) {
        System.setProperty("outbox.home", "..");
        StringWriter errors = new StringWriter();
        CommandLine command = Outboxctl.commandLine(new Interruption()).setErr(new PrintWriter(errors));

        int exitCode = command.execute(wrong.arguments().toArray(String[]::new));

        assertThat(errors.toString())
                .startsWith(wrong.arguments().get(0) + ": " + wrong.complaint())
                .hasLineCount(wrong.lines());
        assertThat(exitCode).isEqualTo(2);
    }
}
