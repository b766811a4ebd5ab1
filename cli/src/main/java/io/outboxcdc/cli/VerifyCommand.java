package io.outboxcdc.cli;

import io.outboxcdc.cli.verify.CannotVerifyException;
import io.outboxcdc.cli.verify.FindingSink;
import io.outboxcdc.cli.verify.JsonReport;
import io.outboxcdc.cli.verify.Report;
import io.outboxcdc.cli.verify.Verification;
import io.outboxcdc.cli.verify.VerifyOptions;
import io.outboxcdc.cli.verify.VerifyProgress;
import io.outboxcdc.cli.verify.VerifyResult;
import io.outboxcdc.client.ledger.Finding;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Compares the rows of a running pipeline's outbox with the records in Kafka. */
@Command(
        name = "verify",
        description = {
            "Compares the rows of the outbox with the records in Kafka: what is lost, duplicated, out of order,"
                    + " dead-lettered or still on the way.",
            "Reads only; needs SELECT on the columns that it compares, and DESCRIBE and READ on the topics."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:clean",
            "1:could not check",
            "2:the arguments were wrong",
            "3:not clean: at least one event is lost, duplicated, out of order or dead-lettered",
            "4:undecided: no fault found, and some rows are still on the way, or older than what the topics hold"
        })
final class VerifyCommand implements Callable<Integer> {

    private static final String STANDARD_OUTPUT = "-";

    @Mixin
    private VerifyArguments arguments = new VerifyArguments();

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "Write the result with all findings as JSON; - for the standard output, in place of the table.")
    private @Nullable String json;

    @Option(
            names = "--at-least-once",
            description = "Repeats are expected: they are counted, and no fault. The order is that of first arrivals.")
    private boolean atLeastOnce;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        VerifyOptions options = arguments.options();
        PrintWriter out = command.commandLine().getOut();
        VerifyProgress progress = new VerifyProgress(command.commandLine().getErr());
        Report report = new Report();
        try {
            if (json == null) {
                VerifyResult result = new Verification(options, progress, report).run();
                report.print(out, result, atLeastOnce);
                return result.verdict(atLeastOnce).exitCode();
            }
            try (JsonReport all = new JsonReport(options.tempFolder())) {
                VerifyResult result = new Verification(options, progress, both(report, all)).run();
                write(all, options, result);
                if (!json.equals(STANDARD_OUTPUT)) {
                    report.print(out, result, atLeastOnce);
                }
                return result.verdict(atLeastOnce).exitCode();
            }
        } catch (CannotVerifyException | UncheckedIOException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private void write(JsonReport report, VerifyOptions options, VerifyResult result) {
        if (json == null || json.equals(STANDARD_OUTPUT)) {
            report.write(command.commandLine().getOut(), options, result, atLeastOnce);
            return;
        }
        try (Writer file = Files.newBufferedWriter(Path.of(json))) {
            report.write(file, options, result, atLeastOnce);
        } catch (IOException e) {
            throw new CommandFailure("--json: the file " + json + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static FindingSink both(FindingSink one, FindingSink other) {
        return new FindingSink() {
            @Override
            public void restart() {
                one.restart();
                other.restart();
            }

            @Override
            public void take(Finding finding, Optional<Place> place) {
                one.take(finding, place);
                other.take(finding, place);
            }
        };
    }
}
