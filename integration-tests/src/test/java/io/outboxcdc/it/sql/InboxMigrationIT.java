package io.outboxcdc.it.sql;

import io.outboxcdc.it.DocumentedSql;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** From a table whose key is the message id alone: every row is kept, for each consumer that has used it. */
@ParameterizedClass
@EnumSource
class InboxMigrationIT {
    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    InboxMigrationIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version);
    }

    private void applyInbox() throws SQLException, IOException {
        database.apply(ScriptFolder.only(Files.createDirectory(folder.resolve("inbox")), "70_inbox.sql"));
    }

    private void migrate(String... settings) throws SQLException, IOException {
        String script = Files.readString(TestDatabase.SCRIPTS.resolve("migrations/inbox_keyed_by_message_id.sql"));
        database.run(settings);
        try {
            database.run(script);
        } finally {
            database.run("RESET ALL");
        }
    }

    @Test
    void anInboxKeyedByMessageIdAloneIsNeitherTouchedNorTakenForOurs() throws Exception {
        database.run("CREATE TABLE inbox (message_id uuid PRIMARY KEY, processed_at timestamptz)");

        assertThatThrownBy(this::applyInbox)
                .hasMessageContaining("public.inbox exists and is not the inbox of this pipeline")
                .hasMessageContaining("its primary key is (message_id), not (consumer, message_id)")
                .hasMessageContaining("column consumer text is missing")
                .hasMessageContaining("RENAME TO inbox_old");
        assertThat(database.one("SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute"
                        + " WHERE attrelid = 'inbox'::regclass AND attnum > 0"))
                .isEqualTo("message_id,processed_at");
    }

    @Test
    void theStatementsOfTheHowToKeepTheRows() throws Exception {
        database.run(
                "CREATE TABLE inbox (message_id uuid PRIMARY KEY, processed_at timestamp NOT NULL)",
                "INSERT INTO inbox SELECT gen_random_uuid(), now() - n * interval '1 minute' FROM generate_series(1, 1000) n");
        List<String> statements = DocumentedSql.of("how-to/migrate-an-inbox.md");
        assertThat(statements).hasSize(2);

        database.run(statements.get(0));
        applyInbox();
        for (int round = 0; round < 2; round++) {
            migrate(statements.get(1));
            assertThat(database.query("SELECT consumer || ' ' || count(*) FROM inbox i"
                            + " JOIN inbox_old o ON o.message_id::text = i.message_id AND o.processed_at::timestamptz = i.claimed_at"
                            + " GROUP BY consumer ORDER BY 1"))
                    .containsExactly("billing 1000", "mail 1000");
            assertThat(database.one("SELECT count(*) FROM inbox")).isEqualTo("2000");
        }
        assertThat(database.one("SELECT count(*) FROM inbox_old")).isEqualTo("1000");
    }

    @Test
    void otherNamesOfTableAndColumnsAreSettings() throws Exception {
        applyInbox();
        database.run(
                "CREATE SCHEMA shop",
                "CREATE TABLE shop.\"Processed Messages\" (\"messageId\" varchar(50) PRIMARY KEY)",
                "INSERT INTO shop.\"Processed Messages\" VALUES ('m1'), ('m2'), (' ')",
                "INSERT INTO inbox VALUES ('billing', 'm1', '2026-01-01')");

        migrate(
                "SET inbox.old_table = 'shop.\"Processed Messages\"'",
                "SET inbox.old_id_column = 'messageId'",
                "SET inbox.consumers = 'billing'");

        assertThat(database.query("SELECT message_id || ' ' || (claimed_at = '2026-01-01') FROM inbox ORDER BY 1"))
                .containsExactly("m1 true", "m2 false");
        database.run("DROP SCHEMA shop CASCADE");
    }

    @Test
    void whatIsMissingIsSaid() throws Exception {
        assertThatThrownBy(() -> migrate()).hasMessageContaining("Apply 70_inbox.sql first");
        applyInbox();
        assertThatThrownBy(() -> migrate())
                .hasMessageContaining("settings inbox.old_table and inbox.consumers are needed");
        assertThatThrownBy(() -> migrate("SET inbox.old_table = 'nowhere'", "SET inbox.consumers = 'billing'"))
                .hasMessageContaining("setting inbox.old_table is \"nowhere\"");
        assertThatThrownBy(() -> migrate("SET inbox.old_table = 'inbox'", "SET inbox.consumers = 'billing'"))
                .hasMessageContaining("Give the older table");
        database.run("CREATE TABLE old (id text)");
        assertThatThrownBy(() -> migrate(
                        "SET inbox.old_table = 'old'",
                        "SET inbox.consumers = 'billing'",
                        "SET inbox.old_time_column = 'at'"))
                .hasMessageContaining("table old has no column message_id, at");
        assertThatThrownBy(() -> migrate(
                        "SET inbox.old_table = 'old'", "SET inbox.consumers = ' , '", "SET inbox.old_id_column = 'id'"))
                .hasMessageContaining("Name at least one consumer");
    }
}
