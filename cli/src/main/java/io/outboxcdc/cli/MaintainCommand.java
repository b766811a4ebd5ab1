package io.outboxcdc.cli;

import io.outboxcdc.client.upkeep.OutboxUpkeep;
import io.outboxcdc.client.upkeep.UpkeepStep;
import io.outboxcdc.stack.PostgresAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs one round of upkeep. */
@Command(
        name = "maintain",
        description = {
            "Runs one round of upkeep: makes partitions ahead, removes events that are older than the retention and that"
                    + " every slot has confirmed. Run it every minute.",
            "Prints a line for each thing that was done, or kept and why."
        })
final class MaintainCommand implements Callable<Integer> {

    private static final String UNDEFINED_FUNCTION = "42883";
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    @Mixin
    private DatabaseArgument database = new DatabaseArgument();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = command.commandLine().getOut();
        PostgresAddress address = database.address();
        try (Connection connection = address.connect()) {
            List<UpkeepStep> steps = OutboxUpkeep.round(connection);
            steps.forEach(out::println);
        } catch (SQLException e) {
            throw new CommandFailure("upkeep of the outbox in " + address + " failed: " + firstLine(e) + remedy(e), e);
        }
        out.flush();
        return 0;
    }

    private static String firstLine(SQLException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static String remedy(SQLException failure) {
        return switch (String.valueOf(failure.getSQLState())) {
            case UNDEFINED_FUNCTION, UNDEFINED_TABLE -> ". Apply the scripts in sql/, from 15_event_rules.sql on.";
            case INSUFFICIENT_PRIVILEGE -> ". The user must be a member of outbox_owner: GRANT outbox_owner TO ...";
            default -> "";
        };
    }
}
