package io.outboxcdc.cli;

import picocli.CommandLine.Command;

/** The measurements, one subcommand each. */
@Command(
        name = "bench",
        description = "Measures parts of the pipeline beside what others use.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = BenchRouterCommand.class)
final class BenchCommand {}
