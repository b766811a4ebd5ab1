package io.outboxcdc.cli;

import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.PostgresAddress;
import io.outboxcdc.stack.StackException;
import io.outboxcdc.stack.StackOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of every command that starts the stack. */
final class StackArguments {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = {
                "Use this database instead of an embedded PostgreSQL: jdbc:postgresql://host:port/db?user=...",
                "The password may also come from the environment variable PGPASSWORD."
            })
    private @Nullable String jdbcUrl;

    @Option(
            names = "--apply-sql",
            description = "Apply the scripts in sql/ to the database of --jdbc-url (an embedded one always gets them).")
    private boolean applySql;

    @Option(
            names = "--take-slot",
            description = {
                "Deliver the events that wait in the slot of --jdbc-url's database to this command's own Kafka.",
                "No other connector will see them."
            })
    private boolean takeSlot;

    @Option(names = "--postgres-port", paramLabel = "PORT", description = "Port of the embedded PostgreSQL.")
    private @Nullable Integer postgresPort;

    @Option(names = "--kafka-port", paramLabel = "PORT", description = "Port of the broker.")
    private @Nullable Integer kafkaPort;

    @Option(names = "--connect-port", paramLabel = "PORT", description = "Port of the Kafka Connect REST API.")
    private @Nullable Integer connectPort;

    @Option(
            names = "--work-folder",
            paramLabel = "DIR",
            description = "Keep data and logs here; without it they are deleted at the end.")
    private @Nullable Path workFolder;

    /** Whether the database is one that was there before. */
    boolean usesGivenDatabase() {
        return jdbcUrl != null;
    }

    GivenDatabaseConsent consent() {
        return new GivenDatabaseConsent(applySql, takeSlot);
    }

    /**
     * The stack that these options ask for.
     *
     * @throws ParameterException when options contradict each other or a value cannot be used
     */
    StackOptions stackOptions(Path home) {
        if (jdbcUrl != null && postgresPort != null) {
            throw usage("--jdbc-url and --postgres-port exclude each other: the first uses a database that is there,"
                    + " the second starts one.");
        }
        if (jdbcUrl == null && applySql) {
            throw usage("--apply-sql goes with --jdbc-url; an embedded database gets the scripts anyway.");
        }
        if (jdbcUrl == null && takeSlot) {
            throw usage("--take-slot goes with --jdbc-url; an embedded database has a slot of its own.");
        }
        if (workFolder != null && workFolder.toString().isEmpty()) {
            throw usage("--work-folder is empty; name a folder that is empty or not there yet.");
        }
        Stream.of(postgresPort, kafkaPort, connectPort)
                .filter(Objects::nonNull)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .forEach((port, times) -> {
                    if (times > 1) {
                        throw usage("Port " + port + " is asked for " + times + " times; each part needs its own.");
                    }
                });
        StackOptions options = StackOptions.of(home);
        if (workFolder != null) {
            options = options.withWorkFolder(workFolder);
        }
        if (postgresPort != null) {
            options = options.withPostgresPort(port("--postgres-port", postgresPort));
        }
        if (kafkaPort != null) {
            options = options.withKafkaPort(port("--kafka-port", kafkaPort));
        }
        if (connectPort != null) {
            options = options.withConnectPort(port("--connect-port", connectPort));
        }
        return jdbcUrl == null ? options : options.withGivenPostgres(givenPostgres(jdbcUrl));
    }

    private PostgresAddress givenPostgres(String url) {
        try {
            return DatabaseArgument.withPasswordFromEnvironment(PostgresAddress.parse(url));
        } catch (IllegalArgumentException | StackException e) {
            throw usage("--jdbc-url: " + e.getMessage());
        }
    }

    private int port(String option, int value) {
        if (value < 1 || value > 65535) {
            throw usage(option + " is " + value + "; a port is a number from 1 to 65535.");
        }
        return value;
    }

    private ParameterException usage(String message) {
        if (command == null) {
            throw new IllegalStateException("Used outside of a command line.");
        }
        return new ParameterException(command.commandLine(), message);
    }
}
