package io.outboxcdc.it.sql;

import io.outboxcdc.client.upkeep.UpkeepStep.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import static io.outboxcdc.it.sql.Upkeep.objects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The steps of docs/how-to/move-to-a-partitioned-outbox.md, as far as a database shows them. */
@ParameterizedClass
@EnumSource
class PartitionMoveIT {
    private static final String PUBLISHED = "SELECT DISTINCT array_to_string(array(SELECT attname FROM pg_attribute"
            + " WHERE attrelid = prrelid AND attnum = ANY (prattrs) ORDER BY attnum), ',') FROM pg_publication_rel";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    private Upkeep upkeep;

    @SuppressWarnings("NullAway.Init") // before each test
    PartitionMoveIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createOutbox() throws SQLException {
        database = databases.create(version);
        upkeep = Upkeep.of(database, "none");
        database.run("CREATE ROLE shop LOGIN", "GRANT outbox_writer TO shop", "CREATE ROLE legacy LOGIN");
        database.run("GRANT INSERT ON outbox TO legacy", "CREATE TABLE business (n int)");
    }

    @Test
    void noEventIsLostAndNoWriterIsStoppedByIt() throws Exception {
        try (ConstantWriters writers = ConstantWriters.start(database, 3, "2s");
                Connection late = database.connect();
                Statement statement = late.createStatement();
                PreparedStatement prepared = late.prepareStatement(Events.INSERT)) {
            for (int i = 0; i < 10; i++) {
                prepared.execute();
            }
            // A transaction that has written before the swap, elsewhere, and writes an event after it.
            late.setAutoCommit(false);
            statement.execute("INSERT INTO business VALUES (1)");
            prepare();
            writers.awaitProgress();
            swap();
            prepared.execute();
            writers.awaitProgress();
            late.commit();
            writers.close();

            assertThat(writers.failures()).isEmpty();
            assertThat(upkeep.confirmAll()).isEqualTo((int) writers.written() + 11);
            assertThat(database.one("SELECT count(*) FROM (SELECT id FROM outbox UNION ALL SELECT id FROM"
                            + " outbox_unpartitioned) e"))
                    .isEqualTo(Long.toString(writers.written() + 11));
        }
    }

    @Test
    void rightsChecksAndPublishedColumnsAreTheSame() throws Exception {
        prepare();
        prepare();
        swap();
        swap();

        database.runAs("shop", Events.INSERT);
        database.runAs("legacy", Events.INSERT);
        assertThatThrownBy(() -> database.runAs("shop", Events.insertWith("aggregate_type", "'a b'")))
                .hasMessageContaining("event refused by \"outbox_aggregate_type_legal\"");
        for (String role : List.of("shop", "legacy")) {
            assertThatThrownBy(() ->
                            database.runAs(role, Events.INSERT.replace("INTO outbox", "INTO outbox_unpartitioned")))
                    .hasMessageContaining("permission denied");
        }
        assertThatThrownBy(() -> database.run(Events.INSERT.replace("INTO outbox", "INTO outbox_unpartitioned")))
                .hasMessageContaining("outbox_sealed");
        assertThat(upkeep.confirmAll()).isEqualTo(2);
        if (version.isAtLeast(15)) {
            assertThat(database.query(PUBLISHED))
                    .containsExactly("id,aggregate_type,aggregate_id,event_type,payload,headers");
        }
        assertThat(upkeep.round()).singleElement().asString().startsWith("kept outbox_unpartitioned: the retention");
    }

    @Test
    void theOldTableGoesAsASealedPartitionDoesAndTheScriptsApplyAgain() throws Exception {
        database.run(Events.INSERT);
        prepare();
        swap();
        assertThat(database.one("SELECT partition_by FROM outbox_upkeep")).isEqualTo("day");

        database.run("UPDATE outbox_partition SET range_to = now() - interval '30 days'"
                + " WHERE partition_name = 'outbox_unpartitioned'");
        assertThat(upkeep.round())
                .singleElement()
                .asString()
                .startsWith("kept outbox_unpartitioned: slot outbox has confirmed");
        assertThat(upkeep.confirmAll()).isEqualTo(1);
        assertThat(objects(upkeep.round(), Kind.DROPPED)).containsExactly("outbox_unpartitioned");

        database.apply();
        database.run(Events.INSERT);
        assertThat(upkeep.confirmAll()).isEqualTo(1);
    }

    @Test
    void upkeepBetweenTheStepsHarmsNothing() throws Exception {
        database.run("UPDATE outbox_upkeep SET retention = '1 hour'", Events.INSERT);
        prepare();

        assertThat(upkeep.round()).isEmpty();
        upkeep.call();
        swap();

        database.run(Events.INSERT);
        assertThat(upkeep.confirmAll()).isEqualTo(2);
        assertThat(database.query("SELECT partition_name FROM outbox_partition WHERE sealed_lsn IS NOT NULL"))
                .containsExactly("outbox_unpartitioned");
    }

    @Test
    void aSwapThatIsNotPreparedIsRefused() throws Exception {
        assertThatThrownBy(this::swap).hasMessageContaining("public.outbox_next is not ready");

        prepare();
        swap();
        assertThatThrownBy(this::prepare).hasMessageContaining("public.outbox is partitioned already");
    }

    @Test
    void aSwapThatNeverFindsAGapChangesNothing() throws Exception {
        prepare();
        try (Connection open = database.connect();
                Statement insert = open.createStatement();
                ConstantWriters writers = ConstantWriters.start(database, 2, "2s")) {
            open.setAutoCommit(false);
            insert.execute(Events.INSERT);
            // The shortest way through all attempts.
            database.run("UPDATE outbox_upkeep SET lock_timeout_ms = 1");

            assertThatThrownBy(() -> database.run(
                            script("2_swap").replace("attempts constant int := 100", "attempts constant int := 5")))
                    .hasMessageContaining("public.outbox was in use at each of 5 attempts")
                    .hasMessageContaining("Nothing has changed");

            writers.awaitProgress();
            assertThat(writers.failures()).isEmpty();
            open.commit();
        }
        assertThat(database.one("SELECT relkind FROM pg_class WHERE oid = 'outbox'::regclass"))
                .isEqualTo("r");
        swap();
        database.run(Events.INSERT);
    }

    private void prepare() throws SQLException, IOException {
        database.run(script("1_prepare"));
    }

    private void swap() throws SQLException, IOException {
        database.run(script("2_swap"));
    }

    private static String script(String step) throws IOException {
        return Files.readString(TestDatabase.SCRIPTS.resolve("migrations/outbox_to_partitions_" + step + ".sql"));
    }
}
