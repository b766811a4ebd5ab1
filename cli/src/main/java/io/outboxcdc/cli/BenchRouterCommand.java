package io.outboxcdc.cli;

import io.outboxcdc.bench.BenchmarkException;
import io.outboxcdc.bench.CaseResult;
import io.outboxcdc.bench.ComparisonReport;
import io.outboxcdc.bench.Effort;
import io.outboxcdc.bench.RouterCase;
import io.outboxcdc.bench.RouterComparison;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares our router with Debezium's. */
@Command(
        name = "router",
        description = {
            "Measures our router beside Debezium's outbox event router, in one run and on the same records: median"
                    + " nanoseconds and bytes per record, and our share of the stock router's.",
            "Takes about four minutes. The ratios hold for this machine while it does nothing else."
        })
final class BenchRouterCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result to this file, as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--quick",
            description = "Measure for half a minute only: enough to see that it runs, too short to rely on.")
    private boolean quick;

    @Option(
            names = "--case",
            paramLabel = "CASE",
            converter = CaseConverter.class,
            completionCandidates = CaseLabels.class,
            description = "Measure this case only; may be repeated. Cases: ${COMPLETION-CANDIDATES}.")
    private @Nullable List<RouterCase> cases;

    @Override
    public Integer call() {
        Path file = json == null ? null : json.toAbsolutePath();
        Path folder = file == null ? null : file.getParent();
        if (file != null && (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder))) {
            throw new ParameterException(
                    command.commandLine(),
                    "--json " + json + " is no file in an existing folder; name one, so that the result can be kept.");
        }
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        ComparisonReport report = new ComparisonReport(effort, run(effort, err));
        out.print(report.text());
        out.flush();
        if (file != null) {
            write(report, file);
        }
        return 0;
    }

    private List<CaseResult> run(Effort effort, PrintWriter err) {
        RouterComparison comparison = new RouterComparison(effort, step -> {
            err.println("  " + step);
            err.flush();
        });
        try {
            return comparison.run(cases == null ? List.of(RouterCase.values()) : cases);
        } catch (BenchmarkException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private static void write(ComparisonReport report, Path file) {
        try {
            report.writeJson(file);
        } catch (IOException e) {
            throw new CommandFailure("Writing the result to " + file + " failed: " + e.getMessage(), e);
        }
    }

    static final class CaseConverter implements ITypeConverter<RouterCase> {

        @Override
        public RouterCase convert(String label) {
            return Stream.of(RouterCase.values())
                    .filter(work -> work.label.equals(label))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + label + "' is none of "
                            + Stream.of(RouterCase.values())
                                    .map(work -> work.label)
                                    .collect(Collectors.joining(", "))));
        }
    }

    static final class CaseLabels implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Stream.of(RouterCase.values()).map(work -> work.label).iterator();
        }
    }
}
