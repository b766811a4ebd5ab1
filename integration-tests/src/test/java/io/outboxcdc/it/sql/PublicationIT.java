package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.OutboxSql;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.SQLException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

@ParameterizedClass
@EnumSource
class PublicationIT {
    private static final String SETTINGS = "SELECT format('%s %s %s %s %s %s', puballtables, pubinsert, pubupdate,"
            + " pubdelete, pubtruncate, pubviaroot) FROM pg_publication WHERE pubname = 'outbox'";

    private static final String COLUMNS = "SELECT array_to_string(array(SELECT attname FROM pg_publication_rel r"
            + " JOIN pg_attribute a ON a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs) ORDER BY attnum), ',')";

    private static final String LEAN = "id,aggregate_type,aggregate_id,event_type,payload,headers";

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    PublicationIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases.create(version);
    }

    @Test
    void itPublishesInsertsOfTheOutboxThroughTheRoot() throws SQLException {
        database.apply();

        assertThat(database.one(SETTINGS)).isEqualTo("f t f f f t");
        assertThat(database.query("SELECT prrelid::regclass FROM pg_publication_rel"))
                .containsExactly("outbox");
        assertThat(columns()).isEqualTo(version.isAtLeast(15) ? LEAN : "all");
    }

    @Test
    void createdAtIsPublishedOnRequestAndTakenOutAgain() throws SQLException {
        OutboxSql withCreatedAt = OutboxSql.inFolder(TestDatabase.SCRIPTS).with("outbox.publish_created_at", "on");

        database.apply(withCreatedAt);
        assertThat(columns()).isEqualTo("all");

        database.apply();
        assertThat(columns()).isEqualTo(version.isAtLeast(15) ? LEAN : "all");
    }

    @Test
    void anotherPublicationOfTheTableIsBroughtToTheRightSettings() throws SQLException {
        database.apply();
        database.run(
                "ALTER PUBLICATION outbox SET (publish = 'update, delete', publish_via_partition_root = false)",
                "ALTER PUBLICATION outbox DROP TABLE outbox");

        database.apply();

        assertThat(database.one(SETTINGS)).isEqualTo("f t f f f t");
        assertThat(columns()).isEqualTo(version.isAtLeast(15) ? LEAN : "all");
    }

    @Test
    void aColumnAddedLaterIsPublishedAfterApplyingAgain() throws SQLException {
        assumeThat(version.isAtLeast(15)).as("column lists").isTrue();
        database.apply();
        database.run("ALTER TABLE outbox ADD COLUMN tenant text");

        database.apply();

        assertThat(columns()).isEqualTo(LEAN + ",tenant");
        database.run(Events.INSERT);
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }

    @Test
    void aPublicationOfAllTablesIsLeftAlone() throws SQLException {
        database.run("CREATE PUBLICATION outbox FOR ALL TABLES");

        assertThatThrownBy(database::apply)
                .hasMessageContaining("publication outbox exists and is not the one of the outbox alone")
                .hasMessageContaining("it publishes ALL TABLES");
        assertThat(database.one(SETTINGS)).isEqualTo("t t t t t f");
    }

    @Test
    void aPublicationOfOtherTablesIsLeftAlone() throws SQLException {
        database.run("CREATE TABLE orders ()", "CREATE PUBLICATION outbox FOR TABLE orders");

        assertThatThrownBy(database::apply).hasMessageContaining("it also publishes table orders");
    }

    @Test
    void aRowFilterAndASchemaAreLeftAlone() throws SQLException {
        assumeThat(version.isAtLeast(15)).as("row filters").isTrue();
        database.apply();

        database.run("ALTER PUBLICATION outbox SET TABLE outbox WHERE (aggregate_type = 'Order')");
        assertThatThrownBy(database::apply).hasMessageContaining("it has the row filter WHERE (aggregate_type = ");

        database.run("ALTER PUBLICATION outbox SET TABLES IN SCHEMA public");
        assertThatThrownBy(database::apply).hasMessageContaining("it publishes all tables of schema public");
    }

    @Test
    void aPartitionedOutboxIsPublishedUnderItsOwnName() throws SQLException {
        database.run(
                "CREATE TABLE outbox (id uuid, aggregate_type text, aggregate_id text, event_type text, payload jsonb,"
                        + " headers jsonb, created_at timestamptz DEFAULT now(), PRIMARY KEY (id, created_at))"
                        + " PARTITION BY RANGE (created_at)",
                "CREATE TABLE outbox_all PARTITION OF outbox FOR VALUES FROM (MINVALUE) TO (MAXVALUE)");
        database.apply();
        database.apply();

        database.run(Events.INSERT, Events.INSERT);

        assertThat(database.insertsInSlot()).isEqualTo(2);
        // An insert message names its relation by the oid after the first byte.
        assertThat(database.query("SELECT DISTINCT ('x' || encode(substring(data FROM 2 FOR 4), 'hex'))::bit(32)::int"
                        + "::oid::regclass FROM pg_logical_slot_peek_binary_changes('outbox', NULL, NULL,"
                        + " 'proto_version', '1', 'publication_names', 'outbox') WHERE get_byte(data, 0) = ascii('I')"))
                .containsExactly("outbox");
        assertThatThrownBy(() -> database.run(Events.insertWith("aggregate_type", "'a b'")))
                .hasMessageContaining("outbox_aggregate_type_legal");
    }

    private String columns() throws SQLException {
        if (!version.isAtLeast(15)) {
            return "all";
        }
        String listed = database.one(COLUMNS);
        return listed.isEmpty() ? "all" : listed;
    }
}
