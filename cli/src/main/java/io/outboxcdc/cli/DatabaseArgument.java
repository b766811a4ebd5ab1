package io.outboxcdc.cli;

import io.outboxcdc.stack.PostgresAddress;
import io.outboxcdc.stack.StackException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The database that a command works on. */
final class DatabaseArgument {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            required = true,
            description = {
                "The database: jdbc:postgresql://host:port/db?user=...",
                "The password may also come from the environment variable PGPASSWORD."
            })
    private String jdbcUrl = "";

    /** @throws ParameterException when the URL cannot be used */
    PostgresAddress address() {
        try {
            return withPasswordFromEnvironment(PostgresAddress.parse(jdbcUrl));
        } catch (IllegalArgumentException | StackException e) {
            if (command == null) {
                throw new IllegalStateException("Used outside of a command line.", e);
            }
            throw new ParameterException(command.commandLine(), "--jdbc-url: " + e.getMessage());
        }
    }

    /** A password in the URL comes first. */
    static PostgresAddress withPasswordFromEnvironment(PostgresAddress address) {
        String password = System.getenv("PGPASSWORD");
        if (!address.password().isEmpty() || password == null) {
            return address;
        }
        return new PostgresAddress(address.host(), address.port(), address.database(), address.user(), password);
    }
}
