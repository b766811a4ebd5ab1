package io.outboxcdc.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ScopeType;

/** Entry point of the command line. */
@Command(
        name = "outboxctl",
        description = "Runs and looks after an outbox pipeline: PostgreSQL, Debezium, Kafka.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = BuildVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {DemoCommand.class, UpCommand.class, HelpCommand.class})
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
                .setExecutionExceptionHandler(new ErrorReport(interruption));
    }
}
