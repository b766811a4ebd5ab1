package io.outboxcdc.cli;

import picocli.CommandLine.Command;

/** What is done to a slot by a person only, one subcommand each. */
@Command(
        name = "slot",
        description = {
            "Moves, drops or makes anew a replication slot, when its reader is stopped.",
            "Each command only says what is there and what would be lost, until --confirm repeats the slot's name."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {SlotAdvanceCommand.class, SlotDropCommand.class, SlotRecreateCommand.class})
final class SlotCommand {}
