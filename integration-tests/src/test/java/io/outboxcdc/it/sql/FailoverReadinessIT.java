package io.outboxcdc.it.sql;

import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.Failover;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.read.DatabaseTarget;
import io.outboxcdc.monitor.read.PostgresReader;
import io.outboxcdc.stack.sql.OutboxSql;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whether a slot would survive a failover, asked of a primary and its real standby. What would break: the standby is
 * promoted, the slot is not there, and nobody was told before.
 */
class FailoverReadinessIT {

    private static final Duration SOON = Duration.ofSeconds(90);
    private static final String ADMIN = "postgres";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"PG17", "PG18"})
    void theSlotIsReadyWhenTheStandbyHasItsCopyAndNotBefore(PostgresVersion version) throws Exception {
        try (EmbeddedPostgres primary =
                server(version).setServerConfig("wal_level", "logical").start()) {
            run(primary, "SELECT pg_create_physical_replication_slot('standby', true)");
            try (Connection connection = connect(primary)) {
                OutboxSql.inFolder(TestDatabase.SCRIPTS).applyTo(connection);
            }
            Path data = copyOf(primary);
            String standbyUrl = "jdbc:postgresql://localhost:1/postgres";
            assertThat(problems(primary, standbyUrl))
                    .anyMatch(problem -> problem.startsWith("no standby reads a physical slot"))
                    .anyMatch(problem -> problem.startsWith("synchronized_standby_slots is empty"))
                    .anyMatch(problem -> problem.startsWith("standby localhost:1/postgres cannot be read"))
                    .hasSize(3);

            try (EmbeddedPostgres standby = server(version)
                    .setDataDirectory(data.toFile())
                    .setCleanDataDirectory(false)
                    .start()) {
                run(primary, "ALTER SYSTEM SET synchronized_standby_slots = 'standby'", "SELECT pg_reload_conf()");
                String url = "jdbc:postgresql://localhost:" + standby.getPort() + "/postgres";
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(problems(primary, url))
                                .singleElement()
                                .asString()
                                .contains("has no copy that is ready"));

                run(standby, "ALTER SYSTEM SET sync_replication_slots = on", "SELECT pg_reload_conf()");

                await().atMost(SOON).untilAsserted(() -> {
                    // The standby makes its copy lasting when the slot has moved to where the standby is.
                    run(primary, "SELECT pg_logical_emit_message(true, 'x', 'x'), pg_log_standby_snapshot()");
                    run(
                            primary,
                            "SELECT count(*) FROM pg_logical_slot_get_binary_changes('outbox', NULL, NULL,"
                                    + " 'proto_version', '1', 'publication_names', 'outbox')");
                    assertThat(problems(primary, url)).isEmpty();
                });
            }
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(problems(primary, standbyUrl)).hasSize(2));
        }
    }

    @Test
    void beforeVersion17ThereAreNoCopies() throws Exception {
        try (EmbeddedPostgres primary = server(PostgresVersion.PG16)
                .setServerConfig("wal_level", "logical")
                .start()) {
            try (Connection connection = connect(primary)) {
                OutboxSql.inFolder(TestDatabase.SCRIPTS).applyTo(connection);
            }

            assertThat(problems(primary, "")).singleElement().asString().contains("the server is PostgreSQL 16");
        }
    }

    private static EmbeddedPostgres.Builder server(PostgresVersion version) {
        return EmbeddedPostgres.builder()
                .setPgBinaryResolver(version)
                .setOverrideWorkingDirectory(new File(System.getProperty("postgres.binaries"), "run"));
    }

    /** A base backup by the server's functions: the binaries of the tests have no pg_basebackup. */
    private Path copyOf(EmbeddedPostgres primary) throws SQLException, IOException {
        Path copy = folder.resolve("standby");
        try (Connection connection = connect(primary);
                Statement statement = connection.createStatement()) {
            Path data = Path.of(one(statement, "SHOW data_directory"));
            one(statement, "SELECT pg_backup_start('standby', true)::text");
            FileUtils.copyDirectory(
                    data.toFile(), copy.toFile(), file -> !file.getName().startsWith("postmaster."));
            Files.writeString(
                    copy.resolve("backup_label"), one(statement, "SELECT labelfile FROM pg_backup_stop(false)"));
        }
        // A server does not start on a folder that others may read.
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
        FileUtils.cleanDirectory(copy.resolve("pg_replslot").toFile());
        Files.createFile(copy.resolve("standby.signal"));
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=localhost port=" + primary.getPort() + " user=" + ADMIN
                        + " dbname=postgres'\n"
                        + "primary_slot_name = 'standby'\nhot_standby_feedback = on\nwal_level = logical\n",
                StandardOpenOption.APPEND);
        return copy;
    }

    private static List<String> problems(EmbeddedPostgres primary, String standbyUrl) {
        ExpectedSlot expected = new ExpectedSlot("test", "outbox", "outbox", "public.outbox", Optional.empty(), true);
        try (PostgresReader reader = new PostgresReader(new DatabaseTarget(
                "test",
                "jdbc:postgresql://localhost:" + primary.getPort() + "/postgres",
                "outbox_monitor",
                "",
                List.of(expected),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                standbyUrl.isEmpty() ? List.of() : List.of(standbyUrl)))) {
            ServerFacts facts = reader.read().value().orElseThrow();
            return Failover.problems(expected, Optional.ofNullable(facts.slots().get("outbox")), facts);
        }
    }

    private static Connection connect(EmbeddedPostgres server) throws SQLException {
        return DriverManager.getConnection(server.getJdbcUrl(ADMIN, "postgres"));
    }

    private static void run(EmbeddedPostgres server, String... statements) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String one(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
