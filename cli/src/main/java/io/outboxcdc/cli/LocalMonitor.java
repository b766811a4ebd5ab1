package io.outboxcdc.cli;

import io.outboxcdc.monitor.SlotMonitor;
import io.outboxcdc.monitor.alert.AlertRule;
import io.outboxcdc.monitor.config.Configuration;
import io.outboxcdc.monitor.config.ConfigurationException;
import io.outboxcdc.monitor.config.ConfigurationReader;
import io.outboxcdc.stack.LocalStack;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.PostgresAddress;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** The slot monitor of a local pipeline, in this process, with a configuration file as anybody would write it. */
final class LocalMonitor {

    private static final String ROLE = "outbox_monitor";
    private static final String PASSWORD = "OUTBOX_MONITOR_PASSWORD";
    private static final int PASSWORD_BYTES = 16;

    private LocalMonitor() {}

    /**
     * Starts it and says where it is, or why it does not start: the pipeline is none the worse for that.
     *
     * @param told where the line with its URL goes
     */
    static Optional<SlotMonitor> start(LocalStack stack, PrintWriter told, PrintWriter err) {
        try {
            SlotMonitor monitor = start(stack);
            told.println("MONITOR_URL=" + monitor.url());
            told.flush();
            return Optional.of(monitor);
        } catch (IOException e) {
            err.println("The slot monitor does not start: " + e.getMessage());
            err.flush();
            return Optional.empty();
        }
    }

    private static SlotMonitor start(LocalStack stack) throws IOException {
        Path folder = Files.createDirectories(stack.workFolder().resolve("monitor"));
        PostgresAddress login =
                stack.postgresProcess().isPresent() ? loginOfItsOwn(stack.postgres()) : stack.postgres();
        Path file = folder.resolve("monitor.properties");
        Files.writeString(file, settings(stack, login, folder));
        try {
            Configuration configuration =
                    ConfigurationReader.read(file, Map.of(PASSWORD, login.password()), AlertRule.names());
            return SlotMonitor.start(configuration);
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static String settings(LocalStack stack, PostgresAddress login, Path folder) {
        String diskOfTheWal = stack.postgresProcess().isPresent()
                ? "database.local.wal.path=" + stack.workFolder().resolve("postgres") + "\n"
                : "";
        return """
                sample.interval=1s
                http.port=0
                state.file=%s
                databases=local
                database.local.jdbc.url=jdbc:postgresql://%s:%d/%s
                database.local.user=%s
                database.local.password=${env:%s}
                database.local.slots=outbox
                database.local.slot.outbox.connector=local/%s
                connect.clusters=local
                connect.local.url=%s
                connect.local.kafka.bootstrap.servers=%s
                """.formatted(
                                folder.resolve("state.json"),
                                login.host(),
                                login.port(),
                                login.database(),
                                login.user(),
                                PASSWORD,
                                OutboxPipeline.CONNECTOR,
                                stack.connectUrl(),
                                stack.bootstrapServers())
                + diskOfTheWal;
    }

    /** The role that the scripts have made for it, with a password for this run. */
    private static PostgresAddress loginOfItsOwn(PostgresAddress superuser) throws IOException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        try (Connection connection = superuser.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER ROLE " + ROLE + " PASSWORD '" + password + "'");
        } catch (SQLException e) {
            throw new IOException("the role " + ROLE + " cannot be given a password: " + e.getMessage(), e);
        }
        return new PostgresAddress(superuser.host(), superuser.port(), superuser.database(), ROLE, password);
    }
}
