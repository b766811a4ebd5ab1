package io.outboxcdc.cli;

import io.outboxcdc.cli.demo.DemoRun;
import io.outboxcdc.cli.demo.DemoSchema;
import io.outboxcdc.cli.demo.OrderWriters;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.PostgresAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Shows the whole way of an event on this machine, and proves that none was lost. */
@Command(
        name = "demo",
        description = {
            "Starts a pipeline, writes orders with their events, and shows the events as they arrive in Kafka.",
            "The last line compares what was committed with what a read_committed consumer saw;"
                    + " the exit code is 0 only when nothing was lost, duplicated or out of order."
        })
final class DemoCommand implements Callable<Integer> {

    /** Slow enough to read. */
    private static final double READABLE_RATE = 4;

    private static final double AS_FAST_AS_IT_GOES = 1_000_000;

    private final Interruption interruption;

    @Mixin
    private StackArguments arguments = new StackArguments();

    @Option(names = "--events", paramLabel = "N", description = "Write this many events (default: until Ctrl-C).")
    private @Nullable Long events;

    @Option(names = "--exit", description = "End when all --events have arrived.")
    private boolean exit;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description =
                    "Transactions per second (default: " + (int) READABLE_RATE + ", with --exit as fast as it goes).")
    private @Nullable Double rate;

    @Spec
    private CommandSpec command = CommandSpec.create();

    DemoCommand(Interruption interruption) {
        this.interruption = interruption;
    }

    @Override
    public Integer call() throws InterruptedException {
        checkArguments();
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        DemoRun run = new DemoRun(
                startOfThisCommand(),
                events == null ? Long.MAX_VALUE : events,
                rate != null ? rate : exit ? AS_FAST_AS_IT_GOES : READABLE_RATE,
                out);
        boolean clean;
        // A given database may refuse the demo's tables: known before anything is started.
        Optional<PostgresAddress> given = PipelineStart.options(arguments).givenPostgres();
        if (given.isPresent()) {
            DemoSchema.check(given.get()).ifPresent(problem -> {
                throw new CommandFailure(problem);
            });
        }
        try (OutboxPipeline pipeline = PipelineStart.start(arguments, new ConsoleProgress(err))) {
            interruption.endsInOrder();
            // A demo that ends by itself is over before anybody could look.
            try (DemoMonitor monitor = exit ? DemoMonitor.NONE : DemoMonitor.after(run, pipeline.stack(), err)) {
                clean = run.on(pipeline.stack(), exit, interruption::await);
            }
        } catch (SQLException e) {
            throw new CommandFailure("the demo's tables cannot be made or removed: " + e.getMessage(), e);
        } catch (OrderWriters.WriterFailure e) {
            throw new CommandFailure("an order could not be written: " + e.getMessage(), e);
        }
        PipelineStart.tellWhatStays(arguments, err);
        out.println(run.verdictLine());
        return clean ? 0 : 1;
    }

    private void checkArguments() {
        if (events != null && events < 1) {
            throw usage("--events is " + events + "; give a number of at least 1.");
        }
        if (exit && events == null) {
            throw usage("--exit needs --events N: it ends the demo when N events have arrived.");
        }
        if (rate != null && !(rate > 0 && rate <= AS_FAST_AS_IT_GOES)) {
            throw usage("--rate is " + rate + "; give a number above 0 and up to " + (long) AS_FAST_AS_IT_GOES + ".");
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /** The script that starts the JVM becomes the JVM's process, so the process's start is the command's. */
    private static Instant startOfThisCommand() {
        return ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
    }
}
