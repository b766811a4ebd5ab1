package io.outboxcdc.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Faults that are really there, on a real pipeline, and what the monitor makes of them. What would break: a person who is
 * called at night is sent to the wrong place, or is not called.
 */
class SlotMonitorIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("state.stalled.after", "3s"),
            Map.entry("state.writer.age", "1s"),
            Map.entry("state.held.by.transaction.size", "2MB"),
            Map.entry("alert.OutboxSlotInactive.for", "1s"),
            Map.entry("alert.OutboxStalledDownstream.for", "1s"),
            Map.entry("alert.OutboxReaderMissing.for", "1s"),
            Map.entry("action.restart", "off"),
            Map.entry("action.heartbeat", "off"));

    @TempDir
    static Path folder;

    private static WatchedPipeline watched;

    @BeforeAll
    static void start() throws Exception {
        watched = WatchedPipeline.start(folder, SETTINGS);
        // A frozen worker is let go soon.
        watched.execute("ALTER SYSTEM SET wal_sender_timeout = '10s'");
        watched.execute("SELECT pg_reload_conf()");
    }

    @AfterAll
    static void stop() {
        if (watched != null) {
            watched.close();
        }
    }

    @BeforeEach
    void beginHealthy() {
        awaitState("OK", "");
        // Dead letters of the test with a poison row are news for ten minutes.
        await().atMost(SOON).untilAsserted(() -> assertThat(firing()).isSubsetOf("OutboxDeadLetters"));
        watched.forgetTold();
    }

    /** Every test leaves a pipeline that works. */
    @AfterEach
    void isHealthyAgain() {
        awaitState("OK", "");
    }

    @Test
    void aBusyPipelineIsHealthyAndNobodyIsCalled() throws SQLException {
        for (int round = 0; round < 10; round++) {
            watched.outbox().writeElsewhere();
            for (int row = 0; row < 20; row++) {
                watched.outbox().insert(OutboxRow.of("busy").key("k" + row));
            }
            assertThat(watched.state()).isIn("OK", "CATCHING_UP");
        }

        awaitState("OK", "");
        assertThat(watched.told()).allMatch(told -> told.endsWith("OutboxDeadLetters"));
        await().atMost(SOON).until(() -> watched.status("health/ready") == 200);
    }

    @Test
    void theStatusHasTheFormThatOthersRelyOn() {
        JsonNode status = watched.get(watched.monitor().url() + "api/status");

        assertThat(names(status)).containsExactly("slots", "connectors");
        assertThat(names(watched.slot()))
                .containsExactly(
                        "database",
                        "slot",
                        "state",
                        "cause",
                        "retained_bytes",
                        "unconfirmed_bytes",
                        "lag_seconds",
                        "eta_seconds");
        assertThat(status.path("connectors").path(0).path("state").asText()).isEqualTo("RUNNING");
    }

    @Test
    void aStoppedConnectorIsTheCauseOfAnInactiveSlot() {
        watched.connect("PUT", "/connectors/outbox/stop", "");
        try {
            awaitState("INACTIVE", "connector main/outbox is STOPPED");
            awaitTold("firing OutboxSlotInactive");
        } finally {
            watched.connect("PUT", "/connectors/outbox/resume", "");
        }
        awaitTold("resolved OutboxSlotInactive");
        assertThat(watched.everythingTold()).doesNotContain("monitor-secret");
    }

    @Test
    void aPausedConnectorKeepsTheSlotAndDeliversNothing() throws SQLException {
        watched.connect("PUT", "/connectors/outbox/pause", "");
        try {
            watched.outbox().insert(OutboxRow.of("paused"));
            awaitState("STALLED_DOWNSTREAM", "is PAUSED");
            awaitTold("firing OutboxStalledDownstream");
        } finally {
            watched.connect("PUT", "/connectors/outbox/resume", "");
        }
    }

    @Test
    void aTaskThatIsDeadWhileConnectSaysRunningIsCalledDead() {
        watched.execute("ALTER ROLE outbox_cdc NOLOGIN");
        try {
            watched.execute("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active");
            awaitState("INACTIVE", "says RUNNING, but its task has no connection");
            awaitTold("firing OutboxReaderMissing");
        } finally {
            watched.execute("ALTER ROLE outbox_cdc LOGIN");
            watched.connect("POST", "/connectors/outbox/restart?includeTasks=true", "");
        }
    }

    @Test
    void aFailedTaskIsTheCauseAndItsOwnAlert() throws SQLException {
        ObjectNode good = watched.connectorConfig();
        ObjectNode strict = good.deepCopy().put("transforms.outbox.on.invalid.event", "fail");
        watched.reconfigure(strict);
        try {
            awaitState("OK", "");
            watched.outbox().insertUnchecked(OutboxRow.of("not a topic/").key("x"));
            awaitState("INACTIVE", "task 0 of connector main/outbox has FAILED");
            awaitTold("firing OutboxTaskFailed");
        } finally {
            watched.reconfigure(good);
        }
        awaitTold("resolved OutboxTaskFailed");
        awaitTold("firing OutboxDeadLetters");
    }

    @Test
    void aFrozenWorkerIsAHungClientAndThenGone() throws Exception {
        watched.pipeline().stack().connectProcess().freeze();
        try {
            awaitState("HUNG_CLIENT", "has not answered for");
            awaitTold("firing OutboxHungClient");
            awaitState("INACTIVE", "cannot be asked");
            assertThat(watched.status("health/ready")).isEqualTo(503);
        } finally {
            watched.pipeline().stack().connectProcess().thaw();
        }
    }

    @Test
    void aFrozenBrokerStallsWhatComesBeforeIt() throws SQLException {
        watched.pipeline().stack().kafkaProcess().freeze();
        try {
            watched.outbox().insert(OutboxRow.of("stalled"));
            awaitState("STALLED_DOWNSTREAM", "Kafka");
        } finally {
            watched.pipeline().stack().kafkaProcess().thaw();
        }
    }

    @Test
    void aPublicationWithoutTheTableIsSeenAtOnce() {
        String columns = watched.one("SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)"
                + " FROM pg_publication_rel r JOIN pg_attribute a"
                + " ON a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs)");
        watched.execute("ALTER PUBLICATION outbox DROP TABLE public.outbox");
        try {
            awaitState("PUBLICATION_BROKEN", "does not contain table public.outbox");
            awaitTold("firing OutboxPublicationBroken");
        } finally {
            watched.execute("ALTER PUBLICATION outbox ADD TABLE public.outbox (" + columns + ")");
        }
    }

    @Test
    void aLongTransactionIsNamedInPlaceOfTheConnector() throws SQLException {
        try (Connection writer = watched.pipeline().stack().postgres().connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("SET application_name = 'nightly-report'");
            statement.execute("CREATE TABLE public.business ()");
            await().atMost(SOON).untilAsserted(() -> {
                watched.outbox().writeElsewhere();
                assertThat(watched.state()).isEqualTo("HELD_BY_TRANSACTION");
            });
            assertThat(watched.cause()).contains("nightly-report").contains("the reader is up to date");
            writer.rollback();
        }
        watched.execute("CHECKPOINT");
        assertThat(watched.told()).doesNotContain("firing OutboxStalledDownstream", "firing OutboxLagHigh");
    }

    @Test
    void aQuietOutboxBesideABusyTableWithoutHeartbeatsIsExplained() throws SQLException {
        ObjectNode good = watched.connectorConfig();
        ObjectNode without = good.deepCopy();
        without.remove("heartbeat.action.query");
        watched.reconfigure(without);
        try {
            await().atMost(SOON).untilAsserted(() -> {
                watched.outbox().writeElsewhere();
                assertThat(watched.state()).isEqualTo("STALLED_DOWNSTREAM");
            });
            assertThat(watched.cause()).contains("has no heartbeat.action.query");
        } finally {
            watched.reconfigure(good);
        }
    }

    @Test
    void aSlotThatWasAdvancedAndAnOffsetAheadAreToldApart() throws SQLException {
        watched.connect("PUT", "/connectors/outbox/stop", "");
        try {
            awaitState("INACTIVE", "STOPPED");
            watched.outbox().insert(OutboxRow.of("skipped"));
            watched.outbox().writeElsewhere();
            watched.execute("SELECT pg_replication_slot_advance('outbox', pg_current_wal_lsn())");
            awaitState("OFFSET_GAP", "will never be delivered");
            awaitTold("firing OutboxOffsetGap");

            String far = watched.one("SELECT (pg_current_wal_lsn() - '0/0' + 1000000000)::bigint::text");
            watched.connect("PATCH", "/connectors/outbox/offsets", """
                    {"offsets": [{"partition": {"server": "outbox"}, "offset": {"lsn": %1$s, "lsn_proc": %1$s,
                     "lsn_commit": %1$s, "ts_usec": 1, "txId": 1}}]}""".formatted(far));
            awaitState("OFFSET_AHEAD", "and the server's WAL ends at");
            awaitTold("firing OutboxOffsetAhead");
        } finally {
            watched.connect("DELETE", "/connectors/outbox/offsets", "");
            watched.connect("PUT", "/connectors/outbox/resume", "");
        }
    }

    @Test
    void aDatabaseThatIsGoneIsAStateAndTheSeriesStay() throws Exception {
        watched.pipeline().stack().postgresProcess().orElseThrow().freeze();
        try {
            awaitState("UNKNOWN", "cannot be read");
            assertThat(watched.status("health/ready")).isEqualTo(503);
            assertThat(watched.text(watched.monitor().url() + "metrics"))
                    .contains("outbox_slot_retained_bytes{database=\"shop\",slot=\"outbox\"}")
                    .contains("state=\"UNKNOWN\"} 1.0")
                    .doesNotContain("NaN");
        } finally {
            watched.pipeline().stack().postgresProcess().orElseThrow().thaw();
        }
    }

    private static void awaitState(String state, String cause) {
        await().atMost(SOON).untilAsserted(() -> {
            JsonNode slot = watched.slot();
            assertThat(slot.path("state").asText())
                    .as(slot.path("cause").asText())
                    .isEqualTo(state);
            assertThat(slot.path("cause").asText()).contains(cause);
        });
    }

    private static void awaitTold(String what) {
        await().atMost(SOON).untilAsserted(() -> assertThat(watched.told()).contains(what));
    }

    private static List<String> firing() {
        List<String> names = new ArrayList<>();
        watched.get(watched.monitor().url() + "api/detail")
                .path("alerts")
                .forEach(alert -> names.add(alert.path("name").asText()));
        return names;
    }

    private static List<String> names(JsonNode json) {
        List<String> names = new ArrayList<>();
        json.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
