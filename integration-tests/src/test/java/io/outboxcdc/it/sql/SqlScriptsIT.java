package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.AppliedScript;
import io.outboxcdc.stack.sql.OutboxSql;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

@ParameterizedClass
@EnumSource
class SqlScriptsIT {
    /** All that the scripts make, as text. */
    private static final String STATE = """
            SELECT format('%s %s %s %s', rolname, rolcanlogin, rolreplication, rolsuper) FROM pg_roles
                WHERE rolname ~ '^(out|in)box'
            UNION ALL SELECT format('%s in %s', member::regrole, roleid::regrole) FROM pg_auth_members
            UNION ALL SELECT format('%s %s %s', oid::regclass, relowner::regrole, relacl) FROM pg_class
                WHERE relname ~ '^(out|in)box'
            UNION ALL SELECT format('%s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
                WHERE conrelid IN ('outbox'::regclass, 'inbox'::regclass, 'inbox_message'::regclass)
            UNION ALL SELECT p::text FROM pg_publication p
            UNION ALL SELECT r::text FROM pg_publication_rel r
            UNION ALL SELECT format('%s %s', slot_name, confirmed_flush_lsn) FROM pg_replication_slots
            UNION ALL SELECT o::text FROM outbox_slot o
            UNION ALL SELECT u::text FROM outbox_upkeep u
            UNION ALL SELECT p::text FROM outbox_partition p
            UNION ALL SELECT format('%s %s %s', oid::regprocedure, proowner::regrole, proacl) FROM pg_proc
                WHERE proname LIKE 'outbox%'
            ORDER BY 1
            """;

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    SqlScriptsIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version);
    }

    @Test
    void applyingThemAgainChangesNothing() throws SQLException {
        List<AppliedScript> first = database.apply();
        List<String> state = database.query(STATE);

        List<AppliedScript> second = database.apply();

        assertThat(first)
                .extracting(AppliedScript::name)
                .containsExactlyElementsOf(ScriptFolder.all())
                .startsWith("10_roles.sql")
                .containsSubsequence("20_outbox.sql", "30_publication.sql", "40_slot.sql", "50_grants.sql");
        assertThat(second).hasSameSizeAs(first);
        assertThat(database.query(STATE)).isEqualTo(state).hasSizeGreaterThan(15);
    }

    @Test
    void applyingThemAgainDoesNotWaitForAnOpenWriter() throws SQLException {
        database.apply();
        try (Connection writer = database.connect();
                Statement insert = writer.createStatement();
                Connection installer = database.connect();
                Statement setting = installer.createStatement()) {
            writer.setAutoCommit(false);
            insert.execute(Events.INSERT);
            insert.execute("INSERT INTO inbox (consumer, message_id) VALUES ('billing', 'm1')");
            insert.execute("INSERT INTO inbox_message (consumer, message_id, lane, topic, record_partition,"
                    + " record_offset, record_time, header_names, header_values)"
                    + " VALUES ('billing', 'm1', gen_random_uuid(), 't', 0, 0, now(), '{}', '{}')");
            setting.execute("SET lock_timeout = '200ms'");

            List<AppliedScript> again = OutboxSql.inFolder(TestDatabase.SCRIPTS).applyTo(installer);

            assertThat(again).hasSameSizeAs(ScriptFolder.all());
            writer.commit();
        }
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    @Test
    void rowsCommittedAfterThemAreInTheSlotAndOthersAreNot() throws SQLException {
        database.apply();

        database.run(Events.INSERT, Events.INSERT, Events.INSERT);
        database.run("BEGIN", Events.INSERT, "ROLLBACK");
        database.run("UPDATE outbox SET aggregate_id = '8'", "DELETE FROM outbox WHERE aggregate_id = '8'");

        assertThat(database.insertsInSlot()).isEqualTo(3);
    }

    @Test
    void psqlAppliesThemTwice() throws IOException, InterruptedException, SQLException {
        assumeThat(psqlIsInstalled()).as("psql is on the path").isTrue();

        for (int round = 0; round < 2; round++) {
            for (String name : ScriptFolder.all()) {
                Path script = TestDatabase.SCRIPTS.resolve(name);
                Process psql = new ProcessBuilder(psqlCommand(script))
                        .redirectErrorStream(true)
                        .start();
                String output = new String(psql.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(psql.waitFor()).as("psql -f %s: %s", script, output).isZero();
            }
        }

        database.run(Events.INSERT);
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    /** On two versions only: it takes seconds, and what Flyway does depends little on the server. */
    @Test
    void flywayAppliesThemUnderTheirOwnNames() throws SQLException {
        assumeThat(version).isIn(PostgresVersion.PG14, PostgresVersion.PG18);
        Flyway flyway = Flyway.configure()
                .dataSource(database.url("postgres") + "&options=-c%20outbox.payload_type=bytea", "postgres", "")
                .locations("filesystem:" + TestDatabase.SCRIPTS)
                .sqlMigrationPrefix("")
                .sqlMigrationSeparator("_")
                .load();

        int applied = flyway.migrate().migrationsExecuted;

        assertThat(applied).isEqualTo(ScriptFolder.all().size());
        assertThat(database.payloadType()).isEqualTo("bytea");
        database.run(Events.INSERT);
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    @Test
    void settingsLeaveNothingInTheSession() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            scriptsWith("outbox.payload_type", "text").applyTo(connection);

            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(statement.execute("SELECT 1 / nullif(length(current_setting('outbox.payload_type', true)), 0)"))
                    .isTrue();
            statement.getResultSet().next();
            assertThat(statement.getResultSet().getObject(1)).isNull();
        }
    }

    private static OutboxSql scriptsWith(String setting, String value) {
        return OutboxSql.inFolder(TestDatabase.SCRIPTS).with(setting, value);
    }

    private List<String> psqlCommand(Path script) {
        return List.of(
                "psql",
                "-X",
                "-v",
                "ON_ERROR_STOP=1",
                "-h",
                "localhost",
                "-p",
                Integer.toString(database.port()),
                "-U",
                "postgres",
                "-d",
                database.name(),
                "-f",
                script.toString());
    }

    private static boolean psqlIsInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("psql", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
