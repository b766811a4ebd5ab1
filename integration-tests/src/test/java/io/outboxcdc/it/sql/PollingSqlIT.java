package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.OutboxSql;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The outbox for the relay: what is added to it, and who may do what. */
@ParameterizedClass
@EnumSource
class PollingSqlIT {

    private static final List<String> COLUMNS = List.of("seq", "published_at", "attempts");
    private static final String ADDED = "SELECT attname FROM pg_attribute WHERE attrelid = 'outbox'::regclass"
            + " AND attname IN ('seq', 'published_at', 'attempts') ORDER BY attnum";
    private static final String STATE = """
            SELECT format('%s %s %s %s', oid::regclass, relowner::regrole, relacl, reloptions) FROM pg_class
                WHERE relname ~ '^outbox'
            UNION ALL SELECT format('%s %s %s', attname, atttypid::regtype, attacl) FROM pg_attribute
                WHERE attrelid = 'outbox'::regclass AND attnum > 0
            UNION ALL SELECT format('%s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
                WHERE conrelid = 'outbox'::regclass
            UNION ALL SELECT s::text FROM outbox_shard s
            UNION ALL SELECT tgname FROM pg_trigger
            UNION ALL SELECT format('%s %s', oid::regprocedure, proowner::regrole) FROM pg_proc WHERE proname LIKE 'outbox%'
            UNION ALL SELECT r::text FROM pg_publication_rel r
            ORDER BY 1""";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    PollingSqlIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version);
    }

    @Test
    void itIsOffUnlessAskedFor() throws SQLException {
        database.apply();

        assertThat(database.query(ADDED)).isEmpty();
        assertThat(database.query("SELECT proname FROM pg_proc WHERE proname LIKE 'outbox_shard%'"))
                .isEmpty();
        assertThat(database.query("SELECT rolname FROM pg_roles WHERE rolname = 'outbox_relay'"))
                .isEmpty();
    }

    @Test
    void applyingItAgainChangesNothingAndOffLeavesIt() throws SQLException {
        database.apply(polling());
        List<String> state = database.query(STATE);

        database.apply(polling());
        database.apply();

        assertThat(database.query(ADDED)).isEqualTo(COLUMNS);
        assertThat(database.query(STATE)).isEqualTo(state).hasSizeGreaterThan(15);
    }

    @Test
    void applyingItAgainDoesNotWaitForAnOpenWriter() throws SQLException {
        database.apply(polling());
        try (Connection writer = database.connect();
                Statement insert = writer.createStatement();
                Connection installer = database.connect();
                Statement setting = installer.createStatement()) {
            writer.setAutoCommit(false);
            insert.execute(Events.INSERT);
            setting.execute("SET lock_timeout = '200ms'");

            polling().applyTo(installer);

            writer.commit();
        }
    }

    @Test
    void withoutASlotItNeedsNoReplicationAndLetsWritersIn(@TempDir Path folder) throws Exception {
        withoutSlot(folder).applyTo(database.connect());
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop");

        database.runAs("shop", Events.INSERT);

        assertThat(database.query("SELECT seq FROM outbox WHERE published_at IS NULL AND attempts = 0"))
                .containsExactly("1");
    }

    @Test
    void withASlotRowsAreTheConnectorsFromTheStart() throws SQLException {
        database.apply();
        database.run(Events.INSERT);

        database.apply(polling());
        database.run(Events.INSERT);

        assertThat(database.query("SELECT seq FROM outbox WHERE published_at IS NULL"))
                .isEmpty();
        assertThat(database.insertsInSlot()).isEqualTo(2);
    }

    @Test
    void thePublicationDoesNotHaveTheRelaysColumns() throws SQLException {
        database.apply(polling());
        database.apply(polling());

        if (version.isAtLeast(15)) {
            assertThat(database.one("SELECT attnames::text FROM pg_publication_tables WHERE pubname = 'outbox'"))
                    .doesNotContain("seq", "published_at", "attempts");
        }
    }

    @Test
    void theRelaysRoleMarksAndDeletesAndDoesNothingElse(@TempDir Path folder) throws Exception {
        withoutSlot(folder).applyTo(database.connect());
        database.run(Events.INSERT);

        database.runAs(
                "outbox_relay",
                "UPDATE outbox SET attempts = attempts + 1",
                "UPDATE outbox SET published_at = now()",
                "UPDATE outbox_shard SET owner = 'x', epoch = epoch + 1",
                "SELECT shard FROM outbox_shard FOR UPDATE SKIP LOCKED",
                "DELETE FROM outbox");
        for (String forbidden : List.of(
                Events.INSERT,
                "UPDATE outbox SET payload = '{}'",
                "TRUNCATE outbox",
                "DELETE FROM outbox_shard",
                "DELETE FROM outbox_slot")) {
            assertThatThrownBy(() -> database.runAs("outbox_relay", forbidden))
                    .as(forbidden)
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void aRowThatBreaksTheCheckCanBeMarkedByTheRelayAndByNobodyElse(@TempDir Path folder) throws Exception {
        OutboxSql scripts = withoutSlot(folder);
        scripts.applyTo(database.connect());
        database.run(
                "ALTER TABLE outbox DROP CONSTRAINT outbox_event_legal",
                "INSERT INTO outbox (id, aggregate_type, aggregate_id, payload)"
                        + " VALUES (gen_random_uuid(), 'a b', '7', '{}')");
        scripts.applyTo(database.connect());

        assertThatThrownBy(() -> database.run("UPDATE outbox SET published_at = now()"))
                .hasMessageContaining("outbox_aggregate_type_legal");
        database.runAs("outbox_relay", "UPDATE outbox SET published_at = now()");
    }

    @Test
    void theNumberOfShardsIsKept(@TempDir Path folder) throws Exception {
        OutboxSql scripts = withoutSlot(folder);
        scripts.with("outbox.polling_shards", "7").applyTo(database.connect());
        scripts.applyTo(database.connect());

        assertThat(database.one("SELECT count(*) FROM outbox_shard")).isEqualTo("7");
        assertThatThrownBy(() -> scripts.with("outbox.polling_shards", "8").applyTo(database.connect()))
                .hasMessageContaining("the outbox has 7 shards");
        database.run("INSERT INTO outbox (id, aggregate_type, aggregate_id, payload)"
                + " SELECT gen_random_uuid(), 'order', n::text, '{}' FROM generate_series(1, 7000) n");
        assertThat(database.query("SELECT count(*) FROM outbox GROUP BY outbox_shard_of(aggregate_id, 7)"))
                .hasSize(7)
                .allSatisfy(count -> assertThat(Integer.parseInt(count)).isBetween(800, 1_200));
    }

    @Test
    void writersWakeRelaysUpUnlessThatIsOff(@TempDir Path folder) throws Exception {
        OutboxSql scripts = withoutSlot(folder);
        scripts.applyTo(database.connect());
        assertThat(database.query("SELECT tgname FROM pg_trigger")).contains("outbox_wake_relays");

        scripts.with("outbox.polling_notify", "off").applyTo(database.connect());
        assertThat(database.query("SELECT tgname FROM pg_trigger")).doesNotContain("outbox_wake_relays");
    }

    @Test
    void whatCannotBeIsRefusedWithWhatToDo() throws SQLException {
        for (Map.Entry<String, String> wrong : Map.of(
                        "outbox.polling", "perhaps", "outbox.polling_shards", "65", "outbox.polling_notify", "x")
                .entrySet()) {
            assertThatThrownBy(() -> database.apply(polling().with(wrong.getKey(), wrong.getValue())))
                    .hasMessageContaining(wrong.getKey());
        }
        database.run("DROP TABLE outbox CASCADE");
        assertThatThrownBy(() -> database.apply(polling().with("outbox.partition_by", "day")))
                .hasMessageContaining("table public.outbox is partitioned");
    }

    @Test
    void columnsOfTheseNamesThatAreSomebodyElsesAreLeftAlone() throws SQLException {
        database.apply();
        database.run("ALTER TABLE outbox ADD COLUMN seq int");

        assertThatThrownBy(() -> database.apply(polling())).hasMessageContaining("column seq is integer");
    }

    private static OutboxSql polling() {
        return OutboxSql.inFolder(TestDatabase.SCRIPTS).with("outbox.polling", "on");
    }

    /** What sql/README.md says to apply where there is no logical replication. */
    private static OutboxSql withoutSlot(Path folder) throws IOException {
        return ScriptFolder.only(folder, "10_roles.sql", "15_event_rules.sql", "20_outbox.sql", "65_polling.sql")
                .with("outbox.polling", "on");
    }
}
