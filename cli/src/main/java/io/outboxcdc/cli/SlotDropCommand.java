package io.outboxcdc.cli;

import io.outboxcdc.cli.slot.Deed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** Removes a slot. */
@Command(
        name = "drop",
        description = {
            "Drops a slot, so that the server keeps no WAL for it any more. What it has not delivered is never delivered.",
            "The offset that Kafka Connect has stored is left alone: with it, a connector that is started finds no slot and"
                    + " fails; without it, it would make a new one in silence."
        })
final class SlotDropCommand implements Callable<Integer> {

    @Mixin
    private SlotArguments arguments = new SlotArguments();

    @Override
    public Integer call() {
        return arguments.run(situation -> new Deed.Drop());
    }
}
