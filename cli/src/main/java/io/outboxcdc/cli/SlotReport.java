package io.outboxcdc.cli;

import io.outboxcdc.cli.slot.Deed;
import io.outboxcdc.cli.slot.Loss;
import io.outboxcdc.cli.slot.Situation;
import io.outboxcdc.cli.slot.Situation.Slot;
import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.StoredOffset;
import io.outboxcdc.monitor.core.Words;
import io.outboxcdc.stack.PostgresAddress;
import picocli.CommandLine.Model.CommandSpec;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What a command about a slot says. */
final class SlotReport {

    private static final String SEND_AGAIN = "\"When a slot is lost or gone\" in sql/README.md";

    private final PrintWriter out;
    private final String name;

    SlotReport(PrintWriter out, String name) {
        this.out = out;
        this.name = name;
    }

    /** What is there. */
    void found(PostgresAddress address, Situation situation) {
        line("slot " + name + " in " + address + ", server "
                + situation.server().identifier());
        situation
                .slot()
                .ifPresent(slot ->
                        line("  slot       " + slot(slot, situation.server().end())));
        situation
                .reader()
                .ifPresent(reader -> line("  connector  " + reader.name() + " is " + reader.state() + ", "
                        + reader.offset()
                                .flatMap(StoredOffset::farthest)
                                .map(offset -> "its stored offset is " + offset)
                                .orElse("it has no stored offset")));
        out.flush();
    }

    private static String slot(Slot slot, Lsn end) {
        if (slot.lost()) {
            return "is lost";
        }
        return "has confirmed " + slot.confirmed().map(Lsn::toString).orElse("nothing") + " of " + end + " and holds "
                + Words.bytes(slot.restart().map(end::bytesSince).orElse(0L)) + " of WAL";
    }

    /** What it costs. */
    void cost(Deed deed, Situation situation, Loss loss) {
        String what = deed instanceof Deed.Advance advance ? "advance to " + advance.to() : deed.word();
        line("  " + what + "  loses " + loss);
        if (!loss.isNone()) {
            line("  Events that are lost stay in the outbox, unless they were deleted; how to send them again: "
                    + SEND_AGAIN + ".");
        }
        if (deed instanceof Deed.Drop
                && situation.reader().isPresent()
                && situation.delivered().isEmpty()) {
            line("  Without a stored offset, a start of the connector makes a new slot in silence. Leave it stopped.");
        }
        out.flush();
    }

    /** How to do what was only looked at. */
    void dryRun(CommandSpec command, Deed deed, Situation situation, boolean loses) {
        List<String> options = new ArrayList<>(SlotAdvanceCommand.options(deed));
        if (loses) {
            options.add("--accept-loss");
        }
        options.addAll(List.of("--server", situation.server().identifier(), "--confirm", name));
        line("Nothing was done. To do it, run the same with these options:");
        line("  " + command.qualifiedName() + " " + name + " ... " + String.join(" ", options));
        out.flush();
    }

    /** What there is afterwards, and what remains to be done. */
    void done(Deed deed, Situation after) {
        line("Done: "
                + after.slot()
                        .map(slot ->
                                "slot " + name + " " + slot(slot, after.server().end()))
                        .orElse("there is no slot " + name + " any more")
                + ".");
        if (deed instanceof Deed.Advance) {
            line("The server removes WAL after the next checkpoint.");
        }
        if (deed instanceof Deed.Recreate) {
            line("Next: send again what is missing (" + SEND_AGAIN
                    + ", step 6), apply 50_grants.sql, start the connector.");
        }
        out.flush();
    }

    private void line(String text) {
        out.println(text);
    }
}
