package io.outboxcdc.it.sql;

import io.outboxcdc.monitor.SlotMonitor;
import io.outboxcdc.monitor.alert.AlertRule;
import io.outboxcdc.monitor.config.ConfigurationReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Upkeep that the monitor runs by itself. What would break: no event can be written, and nobody was told in time. */
@ParameterizedClass
@EnumSource
class ScheduledUpkeepIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    final Databases databases = new Databases();

    @TempDir
    private Path folder;

    private final PostgresVersion version;
    private final HttpClient client = HttpClient.newHttpClient();

    private TestDatabase database;
    private Upkeep upkeep;

    @SuppressWarnings("NullAway.Init") // before each test
    ScheduledUpkeepIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void createOutbox() throws SQLException {
        database = databases.create(version);
        upkeep = Upkeep.of(database, "day");
        database.run("GRANT inbox_owner TO " + Upkeep.ROLE);
    }

    @Test
    void itMakesAndDropsPartitionsAndForgetsClaims() throws Exception {
        String old = upkeep.pastPartition(30);
        database.run(
                "UPDATE outbox_upkeep SET make_ahead = '20 days'",
                "INSERT INTO inbox (consumer, message_id, claimed_at) VALUES"
                        + " ('billing.v1', 'old', now() - interval '3 days'), ('billing.v1', 'new', now()),"
                        + " ('mail', 'old', now() - interval '3 days')");

        try (SlotMonitor monitor = start(
                "database.test.upkeep.user=" + Upkeep.ROLE,
                "database.test.upkeep.interval=200ms",
                "database.test.upkeep.inbox.consumers=billing.v1",
                "database.test.upkeep.inbox.window=2d")) {
            await().atMost(SOON)
                    .until(() -> database.one("SELECT count(*) FROM inbox").equals("2"));
            upkeep.confirmAll();
            await().atMost(SOON).until(() -> !upkeep.exists(old));

            assertThat(database.one(
                            "SELECT string_agg(consumer || ' ' || message_id, ', ' ORDER BY consumer) FROM inbox"))
                    .isEqualTo("billing.v1 new, mail old");
            assertThat(database.one("SELECT max(range_to) > now() + interval '20 days' FROM outbox_partition"))
                    .isEqualTo("t");
            await().atMost(SOON)
                    .until(() -> metric(monitor, "upkeep_rounds_total\\{database=\"test\",outcome=\"done\"}") > 1);
            assertThat(metric(monitor, "upkeep_failing\\{database=\"test\"}")).isZero();
        }
    }

    @Test
    void withoutALoginForItNothingIsDone() throws Exception {
        database.run("UPDATE outbox_upkeep SET make_ahead = '20 days'");

        try (SlotMonitor monitor = start()) {
            await().atMost(SOON).until(() -> metric(monitor, "samples_total") > 3);

            assertThat(metrics(monitor)).doesNotContain("outbox_slot_upkeep_failing{");
            assertThat(database.one("SELECT count(*) FROM outbox_partition")).isEqualTo("9");
        }
    }

    @Test
    void aRoundThatFailsIsCountedAndAlertedAndTheNextOnesGoOn() throws Exception {
        database.run("REVOKE outbox_owner FROM " + Upkeep.ROLE);

        try (SlotMonitor monitor = start(
                "database.test.upkeep.user=" + Upkeep.ROLE,
                "database.test.upkeep.interval=200ms",
                "alert.OutboxUpkeepFailing.for=1s",
                "alert.resolve.after=1s")) {
            await().atMost(SOON).until(() -> detail(monitor).contains("OutboxUpkeepFailing"));
            assertThat(detail(monitor)).contains("The last round of upkeep failed: ERROR: permission denied");
            assertThat(metric(monitor, "upkeep_rounds_total\\{database=\"test\",outcome=\"failed\"}"))
                    .isPositive();

            database.run("GRANT outbox_owner TO " + Upkeep.ROLE);
            await().atMost(SOON).until(() -> metric(monitor, "upkeep_failing\\{database=\"test\"}") == 0);
            await().atMost(SOON).until(() -> !detail(monitor).contains("OutboxUpkeepFailing"));
        }
    }

    @Test
    void partitionsThatAreNotMadeAheadAreToldBeforeTheLastIsFull() throws Exception {
        try (SlotMonitor monitor =
                start("alert.OutboxPartitionsShort.for=0s", "alert.OutboxPartitionsEndSoon.for=0s")) {
            await().atMost(SOON).until(() -> metric(monitor, "samples_total") > 1);
            assertThat(ahead(monitor)).as("upkeep has run").isGreaterThanOrEqualTo(1);
            assertThat(detail(monitor)).doesNotContain("OutboxPartitions");
        }
        dropPartitionsFromDayOn(4);
        try (SlotMonitor monitor =
                start("alert.OutboxPartitionsShort.for=0s", "alert.OutboxPartitionsEndSoon.for=0s")) {
            await().atMost(SOON).until(() -> detail(monitor).contains("OutboxPartitionsShort"));
            assertThat(ahead(monitor)).isBetween(0.4, 0.6);
            assertThat(detail(monitor))
                    .contains("The outbox has partitions for the next 3 days")
                    .doesNotContain("EndSoon");
        }
        dropPartitionsFromDayOn(0);
        try (SlotMonitor monitor =
                start("alert.OutboxPartitionsShort.for=0s", "alert.OutboxPartitionsEndSoon.for=0s")) {
            await().atMost(SOON).until(() -> detail(monitor).contains("OutboxPartitionsEndSoon"));
            assertThat(ahead(monitor)).isZero();
        }
    }

    @Test
    void aGapBetweenPartitionsCountsAsTheirEndAndADefaultPartitionHasNone() throws Exception {
        database.run("DO $$ BEGIN EXECUTE 'DROP TABLE ' || (SELECT partition_name FROM outbox_partition"
                + " WHERE range_from > now() ORDER BY range_from LIMIT 1); END $$");
        try (SlotMonitor monitor = start()) {
            await().atMost(SOON).until(() -> metric(monitor, "samples_total") > 1);
            assertThat(ahead(monitor)).isLessThan(0.15);
        }
        database.run("CREATE TABLE rest PARTITION OF outbox DEFAULT");
        try (SlotMonitor monitor = start()) {
            await().atMost(SOON).until(() -> metric(monitor, "samples_total") > 1);
            assertThat(ahead(monitor)).isInfinite();
        }
    }

    private void dropPartitionsFromDayOn(int day) throws SQLException {
        database.run("DO $$ DECLARE p record; BEGIN FOR p IN SELECT partition_name AS name FROM outbox_partition"
                + " WHERE dropped_at IS NULL AND to_regclass('public.' || partition_name) IS NOT NULL"
                + " AND range_to > date_trunc('day', now(), 'UTC') + interval '" + day + " days'"
                + " LOOP EXECUTE 'DROP TABLE ' || p.name; END LOOP; END $$");
    }

    private SlotMonitor start(String... more) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "sample.interval=200ms",
                "http.port=0",
                "state.file=" + folder.resolve("state.json"),
                "databases=test",
                "database.test.jdbc.url=" + database.url("outbox_monitor").replaceFirst("\\?.*", ""),
                "database.test.slots=outbox"));
        lines.addAll(List.of(more));
        Path file = Files.write(folder.resolve("monitor.properties"), lines);
        return SlotMonitor.start(ConfigurationReader.read(file, Map.of(), AlertRule.names()));
    }

    private double ahead(SlotMonitor monitor) throws Exception {
        return metric(monitor, "outbox_partitions_ahead_ratio\\{database=\"test\",slot=\"outbox\"}");
    }

    private String metrics(SlotMonitor monitor) throws Exception {
        return text(monitor, "metrics");
    }

    private String detail(SlotMonitor monitor) throws Exception {
        return text(monitor, "api/detail");
    }

    /** The value of a series; -1 while it is not there. */
    private double metric(SlotMonitor monitor, String series) throws Exception {
        Matcher line =
                Pattern.compile("(?m)^outbox_slot_" + series + " (\\S+)$").matcher(metrics(monitor));
        return line.find() ? Double.parseDouble(line.group(1).replace("Inf", "Infinity")) : -1;
    }

    private String text(SlotMonitor monitor, String path) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(URI.create(monitor.url() + path)).build(), BodyHandlers.ofString())
                .body();
    }
}
