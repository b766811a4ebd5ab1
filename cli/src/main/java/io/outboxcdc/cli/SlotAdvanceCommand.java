package io.outboxcdc.cli;

import io.outboxcdc.cli.slot.Deed;
import io.outboxcdc.cli.slot.Situation;
import io.outboxcdc.monitor.core.Lsn;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** Gives up what a slot has not delivered, up to a position. */
@Command(
        name = "advance",
        description = {
            "Moves a slot to a position, so that the server may remove the WAL before it.",
            "Without --to: to the position that Kafka Connect has stored, up to which everything is in Kafka. What lies"
                    + " between that and a later position is never delivered; the rows stay in the outbox, from where"
                    + " they can be sent again.",
            "The server removes the WAL after the next checkpoint. A crash before it undoes the move."
        })
final class SlotAdvanceCommand implements Callable<Integer> {

    private static final String END = "end";

    @Mixin
    private SlotArguments arguments = new SlotArguments();

    @Option(
            names = "--to",
            paramLabel = "LSN",
            description = "The position, such as 0/19F3A10, or end for the WAL's end.")
    private @Nullable String to;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        return arguments.run(this::deed);
    }

    private Deed deed(Situation situation) {
        if (END.equals(to)) {
            return new Deed.Advance(situation.server().end());
        }
        if (to != null) {
            if (!to.matches("[0-9A-Fa-f]{1,7}/[0-9A-Fa-f]{1,8}")) {
                throw new ParameterException(
                        command.commandLine(), "--to is '" + to + "'; give a position such as 0/19F3A10, or end.");
            }
            return new Deed.Advance(Lsn.parse(to));
        }
        return new Deed.Advance(situation
                .delivered()
                .orElseThrow(
                        () -> new CommandFailure("Kafka Connect has stored no offset for this slot, so nobody knows up"
                                + " to where everything is in Kafka. Give a position: --to LSN")));
    }

    /** The options that this deed needs beside those of all. */
    static List<String> options(Deed deed) {
        return deed instanceof Deed.Advance advance
                ? List.of("--to", advance.to().toString())
                : List.of();
    }
}
