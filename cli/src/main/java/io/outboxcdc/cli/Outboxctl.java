package io.outboxcdc.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintWriter;

/** Entry point of the command line. */
@Command(
        name = "outboxctl",
        description = "Runs and looks after an outbox pipeline: PostgreSQL, Debezium, Kafka.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = BuildVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            UpCommand.class,
            VerifyCommand.class,
            BenchCommand.class,
            MaintainCommand.class,
            SlotCommand.class,
            HelpCommand.class
        })
public final class Outboxctl {

    private Outboxctl() {}

    /**
     * Runs one command and ends the JVM: 0 when all went well, 1 when something failed, 2 when the arguments were
     * wrong.
     */
    public static void main(String[] arguments) {
        Interruption interruption = Interruption.install();
        System.exit(commandLine(interruption).execute(arguments));
    }

    static CommandLine commandLine(Interruption interruption) {
        return new CommandLine(new Outboxctl(), new CommandFactory(interruption))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Outboxctl::explain)
                .setExecutionExceptionHandler(new ErrorReport(interruption));
    }

    /** The one line that matters, not the page of help that picocli would print below it. */
    private static int explain(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getCommandName() + ": " + wrong.getMessage());
        UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
