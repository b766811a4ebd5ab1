package io.outboxcdc.cli;

import io.outboxcdc.cli.slot.Deed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** Makes a slot anew. */
@Command(
        name = "recreate",
        description = {
            "Makes a slot anew at the end of the WAL, in place of one that is lost or gone, and takes it out of outbox_slot:"
                    + " until 50_grants.sql registers it again, upkeep removes nothing that has to be sent again.",
            "Waits for all transactions that have written and are still open."
        })
final class SlotRecreateCommand implements Callable<Integer> {

    @Mixin
    private SlotArguments arguments = new SlotArguments();

    @Override
    public Integer call() {
        return arguments.run(situation -> new Deed.Recreate());
    }
}
