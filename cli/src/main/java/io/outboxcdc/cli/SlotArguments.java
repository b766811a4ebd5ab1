package io.outboxcdc.cli;

import io.outboxcdc.cli.slot.Deed;
import io.outboxcdc.cli.slot.Guards;
import io.outboxcdc.cli.slot.Loss;
import io.outboxcdc.cli.slot.LossReading;
import io.outboxcdc.cli.slot.Situation;
import io.outboxcdc.cli.slot.SlotDatabase;
import io.outboxcdc.stack.PostgresAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What every command about a slot asks for, and the one way in which all of them go: look, say, refuse or do. */
final class SlotArguments {

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Parameters(index = "0", paramLabel = "SLOT", description = "The slot's name.")
    private String slot = "";

    @Mixin
    private DatabaseArgument database = new DatabaseArgument();

    @Mixin
    private ConnectorArgument connector = new ConnectorArgument();

    @Option(names = "--accept-loss", description = "Do it although events are lost by it, or nobody can count them.")
    private boolean acceptLoss;

    @Option(names = "--confirm", paramLabel = "SLOT", description = "Do it. Repeat the slot's name.")
    private @Nullable String confirm;

    @Option(
            names = "--server",
            paramLabel = "ID",
            description = "Needed with --confirm: the server's identifier, as the run without --confirm has said it. On"
                    + " another server nothing is done.")
    private @Nullable String server;

    /**
     * Looks, says what would be lost, and does it when that is confirmed and nothing speaks against it.
     *
     * @param wanted what is asked for, from what was found
     * @return the exit code
     */
    int run(Function<Situation, Deed> wanted) {
        checkConfirmation();
        PrintWriter out = spec().commandLine().getOut();
        PostgresAddress address = database.address();
        Optional<Situation.Reader> reader = connector.read();
        try (Connection connection = address.connect()) {
            SlotDatabase slotDatabase = new SlotDatabase(connection, slot);
            Situation found = slotDatabase.read(reader);
            Deed deed = wanted.apply(found);
            Loss loss = new LossReading(connection, slot).of(found, deed);
            SlotReport report = new SlotReport(out, slot);
            report.found(address, found);
            report.cost(deed, found, loss);
            refuse(found, deed, loss);
            if (confirm == null) {
                report.dryRun(spec(), deed, found, !loss.isNone());
                return 0;
            }
            slotDatabase.log(deed, found, loss);
            slotDatabase.perform(deed, found);
            report.done(deed, slotDatabase.read(reader));
            return 0;
        } catch (SQLException e) {
            throw new CommandFailure(
                    "Slot " + slot + " in " + address + ": " + e.getMessage()
                            + (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())
                                    ? " Log in as outbox_cdc, or another role with REPLICATION."
                                    : ""),
                    e);
        }
    }

    private void refuse(Situation found, Deed deed, Loss loss) {
        List<String> problems = Guards.problems(slot, found, deed);
        if (!problems.isEmpty()) {
            throw new CommandFailure("Slot " + slot + " is left as it is:\n  " + String.join("\n  ", problems));
        }
        if (confirm == null) {
            return;
        }
        if (!found.server().identifier().equals(server)) {
            throw new CommandFailure("Slot " + slot + " is left as it is: this is server "
                    + found.server().identifier() + ", not " + server + ". Run it without --confirm first.");
        }
        if (!loss.isNone() && !acceptLoss) {
            throw new CommandFailure("Slot " + slot + " is left as it is: " + loss
                    + " would be lost. If that is meant, give" + " --accept-loss.");
        }
    }

    private void checkConfirmation() {
        if (confirm != null && !confirm.equals(slot)) {
            throw new ParameterException(
                    spec().commandLine(),
                    "--confirm is '" + confirm + "', and the slot is '" + slot + "'. Nothing is done.");
        }
        if (confirm != null && server == null) {
            throw new ParameterException(
                    spec().commandLine(), "--confirm needs --server, as the run without --confirm says it.");
        }
    }

    private CommandSpec spec() {
        if (command == null) {
            throw new IllegalStateException("Used outside of a command line.");
        }
        return command;
    }
}
