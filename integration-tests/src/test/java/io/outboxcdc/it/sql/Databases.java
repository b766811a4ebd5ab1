package io.outboxcdc.it.sql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Empty databases for a test, emptied again after it, with their slots and the server's roles. A server of each kind runs
 * until the last test of the run has ended.
 */
final class Databases implements BeforeEachCallback, AfterEachCallback {
    private static final Map<String, String> LOGICAL = Map.of("wal_level", "logical", "synchronous_commit", "on");

    private final List<TestDatabase> open = new ArrayList<>();

    private @Nullable ExtensionContext context;

    /** A server with {@code wal_level = logical}. */
    TestDatabase create(PostgresVersion version) throws SQLException {
        return create(version, LOGICAL);
    }

    TestDatabase create(PostgresVersion version, Map<String, String> serverSettings) throws SQLException {
        Server server = Objects.requireNonNull(context)
                .getRoot()
                .getStore(Namespace.create(Databases.class))
                .computeIfAbsent(
                        version + " " + serverSettings,
                        key -> new Server(start(version, serverSettings), new ArrayList<>()),
                        Server.class);
        TestDatabase database = server.database(open.size());
        open.add(database);
        return database;
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        context = test;
    }

    @Override
    public void afterEach(ExtensionContext test) throws SQLException {
        for (TestDatabase database : open) {
            database.empty();
        }
        for (TestDatabase database : open) {
            database.dropRoles();
        }
        open.clear();
    }

    private static EmbeddedPostgres start(PostgresVersion version, Map<String, String> settings) {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setPgBinaryResolver(version)
                .setOverrideWorkingDirectory(new File(System.getProperty("postgres.binaries"), "run"));
        settings.forEach(builder::setServerConfig);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL " + version + " does not start with " + settings, e);
        }
    }

    private record Server(EmbeddedPostgres postgres, List<TestDatabase> databases) implements AutoCloseable {
        TestDatabase database(int index) throws SQLException {
            if (index == databases.size()) {
                databases.add(TestDatabase.create(postgres, "test_" + index));
            }
            return databases.get(index);
        }

        @Override
        public void close() throws IOException {
            postgres.close();
        }
    }
}
