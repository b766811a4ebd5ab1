package io.outboxcdc.it;

import io.outboxcdc.stack.LocalStack;
import io.outboxcdc.stack.PostgresAddress;
import io.outboxcdc.stack.StartupProgress;
import io.outboxcdc.stack.sql.OutboxSql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A database that is prepared for the relay alone, as where there is no logical replication, and a broker. */
final class RelayStack implements AutoCloseable {

    static final String PASSWORD = "relay-of-a-test";

    /** What sql/README.md says to apply without a slot. */
    private static final List<String> SCRIPTS =
            List.of("10_roles.sql", "15_event_rules.sql", "20_outbox.sql", "65_polling.sql");

    private final LocalStack stack;
    private final Path folder;
    private final List<RelayProcess> relays = new ArrayList<>();

    private RelayStack(LocalStack stack, Path folder) {
        this.stack = stack;
        this.folder = folder;
    }

    static RelayStack start(Path folder) throws IOException, SQLException {
        LocalStack stack = LocalStack.start(TestHome.options(), StartupProgress.SILENT);
        try (Connection connection = stack.postgres().connect()) {
            Path scripts = Files.createDirectories(folder.resolve("sql"));
            for (String script : SCRIPTS) {
                Files.copy(TestHome.path().resolve("sql").resolve(script), scripts.resolve(script));
            }
            OutboxSql.inFolder(scripts).with("outbox.polling", "on").applyTo(connection);
            letRelayLogIn(stack.postgres());
            return new RelayStack(stack, folder);
        } catch (IOException | SQLException | RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    static void letRelayLogIn(PostgresAddress database) throws SQLException {
        new OutboxTable(database).execute("ALTER ROLE outbox_relay PASSWORD '" + PASSWORD + "'");
    }

    /** The address without user and password. */
    static String jdbcUrl(PostgresAddress database) {
        return "jdbc:postgresql://" + database.host() + ":" + database.port() + "/" + database.database();
    }

    LocalStack parts() {
        return stack;
    }

    OutboxTable outbox() {
        return new OutboxTable(stack.postgres());
    }

    /** Starts an instance; it ends with the stack. */
    RelayProcess relay(String name, Map<String, String> options) throws IOException {
        RelayProcess relay =
                RelayProcess.start(folder, name, jdbcUrl(stack.postgres()), stack.bootstrapServers(), options);
        relays.add(relay);
        return relay;
    }

    /** Ends all instances, in an orderly way. */
    void stopRelays() throws InterruptedException {
        for (RelayProcess relay : relays) {
            if (relay.isAlive()) {
                relay.stop();
            }
        }
        relays.clear();
    }

    String logs() {
        StringBuilder all = new StringBuilder();
        relays.forEach(relay -> all.append(relay.log()).append('\n'));
        return all.toString();
    }

    long number(String query) throws SQLException {
        try (Connection connection = stack.postgres().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        relays.forEach(RelayProcess::close);
        stack.close();
    }
}
