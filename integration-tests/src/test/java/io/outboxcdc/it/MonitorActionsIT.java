package io.outboxcdc.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the monitor does by itself, and that it goes on where it was killed. What would break: a task that is dead for a
 * trifle stays dead, one that cannot live is started for ever, or a connector makes a new slot over a hole.
 */
class MonitorActionsIT {

    private static final Duration SOON = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static WatchedPipeline watched;

    @TempDir
    private Path own;

    @BeforeAll
    static void start() throws Exception {
        watched = WatchedPipeline.start(
                folder, Map.of("action.restart", "off", "action.heartbeat", "off", "state.stalled.after", "3s"));
    }

    @AfterAll
    static void stop() {
        if (watched != null) {
            watched.close();
        }
    }

    @BeforeEach
    void beginHealthy() {
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(watched.state()).as(watched.cause()).isEqualTo("OK"));
    }

    @Test
    void aTaskThatFailedForATrifleIsStartedAgainAndCounted() throws Exception {
        ObjectNode good = watched.connectorConfig();
        watched.reconfigure(good.deepCopy().put("errors.max.retries", "0"));
        try (MonitorProcess monitor = monitor("action.restart=on")) {
            watched.execute("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active");
            await().atMost(SOON).until(() -> watched.cause().contains("has FAILED"));

            await().atMost(SOON).until(() -> metric(monitor, "connector_restarts_total{") == 1);
            await().atMost(SOON).until(() -> watched.state().equals("OK"));

            assertThat(metric(monitor, "connector_restarts_recently{")).isEqualTo(1);
            assertThat(metric(monitor, "actions_total{action=\"restart\",outcome=\"done\"}"))
                    .isEqualTo(1);
            assertThat(monitor.log()).contains("Done: start the failed parts of connector main/outbox again, try 1");
        } finally {
            watched.reconfigure(good);
        }
    }

    @Test
    void aTaskThatFailsForWhatARestartCannotMendIsLeftAlone() throws Exception {
        ObjectNode good = watched.connectorConfig();
        watched.reconfigure(good.deepCopy().put("transforms.outbox.on.invalid.event", "fail"));
        try (MonitorProcess monitor = monitor("action.restart=on")) {
            watched.outbox().insertUnchecked(OutboxRow.of("not a topic/").key("x"));

            await().atMost(SOON)
                    .until(() -> monitor.log().contains("is not restarted, since a restart cannot mend this"));

            assertThat(metric(monitor, "connector_restarts_total{")).isZero();
            assertThat(metric(monitor, "actions_total{action=\"restart\",outcome=\"done\"}"))
                    .isZero();
            assertThat(watched.cause()).contains("has FAILED");
        } finally {
            watched.reconfigure(good);
        }
    }

    @Test
    void aHeartbeatMovesAnIdleSlotThatHoldsMuchWal() throws Exception {
        ObjectNode good = watched.connectorConfig();
        ObjectNode without = good.deepCopy();
        without.remove("heartbeat.action.query");
        watched.reconfigure(without);
        try (MonitorProcess monitor = monitor("action.heartbeat=on", "action.heartbeat.size=4MB")) {
            writeUntilHeld(8L << 20);
            String written = watched.one("SELECT pg_current_wal_lsn()");

            await().atMost(SOON)
                    .until(() -> metric(monitor, "actions_total{action=\"heartbeat\",outcome=\"done\"}") >= 1);

            await().atMost(SOON)
                    .until(() -> watched.one(
                                    "SELECT confirmed_flush_lsn >= '" + written + "' FROM pg_replication_slots")
                            .equals("t"));
        } finally {
            watched.reconfigure(good);
        }
    }

    @Test
    void aConnectorWhoseSlotIsGoneIsStoppedAndMakesNone() throws Exception {
        try (MonitorProcess monitor = monitor("action.stop=on", "action.restart=on")) {
            await().atMost(SOON).until(() -> metric(monitor, "present{") == 1);
            watched.execute("ALTER ROLE outbox_cdc NOLOGIN");
            watched.execute("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active");
            await().atMost(SOON)
                    .until(() -> watched.one("SELECT active FROM pg_replication_slots")
                            .equals("f"));
            watched.execute("SELECT pg_drop_replication_slot('outbox')");
            watched.execute("ALTER ROLE outbox_cdc LOGIN");

            await().atMost(SOON).until(() -> connectorState().equals("STOPPED"));

            assertThat(watched.one("SELECT count(*) FROM pg_replication_slots")).isEqualTo("0");
            assertThat(metric(monitor, "actions_total{action=\"stop\",outcome=\"done\"}"))
                    .isPositive();
            assertThat(monitor.log()).contains("Done: stop connector main/outbox, so that it makes no new slot");
        } finally {
            watched.execute("ALTER ROLE outbox_cdc LOGIN");
            watched.connect("PUT", "/connectors/outbox/stop", "");
            await().atMost(SOON).until(() -> connectorState().equals("STOPPED"));
            watched.connect("DELETE", "/connectors/outbox/offsets", "");
            watched.execute("SELECT pg_create_logical_replication_slot('outbox', 'pgoutput', failover => true)"
                    + " WHERE NOT EXISTS (SELECT FROM pg_replication_slots)");
            watched.connect("PUT", "/connectors/outbox/resume", "");
        }
    }

    @Test
    void killedAndStartedAgainItGoesOnWithTheSameLagAndTellsNothingTwice() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        HttpServer webhook = webhook(told);
        String[] settings = {
            "alert.webhook.url=http://127.0.0.1:" + webhook.getAddress().getPort() + "/",
            "alert.OutboxSlotInactive.for=1s"
        };
        try {
            watched.connect("PUT", "/connectors/outbox/stop", "");
            double lag;
            try (MonitorProcess first = monitor(settings)) {
                UUID waiting = watched.outbox().insert(OutboxRow.of("waiting"));
                assertThat(waiting).isNotNull();
                await().atMost(SOON).until(() -> told.contains("firing OutboxSlotInactive"));
                await().atMost(SOON).until(() -> metric(first, "lag_seconds{") > 5);
                lag = metric(first, "lag_seconds{");
                first.kill();
            }
            try (MonitorProcess second = monitor(settings)) {
                await().atMost(SOON).until(() -> metric(second, "samples_total") > 5);
                assertThat(metric(second, "lag_seconds{")).isGreaterThanOrEqualTo(lag);
                assertThat(told).containsOnlyOnce("firing OutboxSlotInactive");

                watched.connect("PUT", "/connectors/outbox/resume", "");
                await().atMost(SOON).until(() -> told.contains("resolved OutboxSlotInactive"));
                assertThat(told).containsOnlyOnce("firing OutboxSlotInactive", "resolved OutboxSlotInactive");
            }
        } finally {
            webhook.stop(0);
            watched.connect("PUT", "/connectors/outbox/resume", "");
        }
    }

    private static HttpServer webhook(List<String> told) throws Exception {
        HttpServer webhook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        webhook.createContext("/", exchange -> {
            JsonNode message = JSON.readTree(exchange.getRequestBody().readAllBytes());
            message.path("alerts")
                    .forEach(alert -> told.add(alert.path("status").asText() + " "
                            + alert.path("name").asText()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        webhook.start();
        return webhook;
    }

    /** One more monitor on the pipeline, with a state file of this test and these settings in place of the others. */
    private MonitorProcess monitor(String... settings) throws Exception {
        List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve("monitor.properties")));
        lines.removeIf(line -> line.startsWith("action.") || line.startsWith("alert.webhook"));
        // Of two entries with one key the later holds.
        lines.add("state.file=" + own.resolve("state.json"));
        lines.addAll(List.of("action.restart=off", "action.heartbeat=off"));
        lines.addAll(List.of(settings));
        return MonitorProcess.start(Files.write(own.resolve("own.properties"), lines), own.resolve("monitor.log"));
    }

    private static void writeUntilHeld(long bytes) throws SQLException {
        await().atMost(SOON).until(() -> {
            watched.outbox().writeElsewhere();
            return Long.parseLong(watched.one(
                            "SELECT (pg_current_wal_lsn() - restart_lsn)::bigint FROM pg_replication_slots"))
                    > bytes;
        });
    }

    private static String connectorState() {
        return watched.get(watched.pipeline().stack().connectUrl() + "/connectors/outbox/status")
                .path("connector")
                .path("state")
                .asText();
    }

    /** The value of the only series that begins so; -1 while it is not there. */
    private static double metric(MonitorProcess monitor, String series) {
        Matcher line = Pattern.compile("(?m)^" + Pattern.quote("outbox_slot_" + series) + ".* (\\S+)$")
                .matcher(watched.text(monitor.url() + "metrics"));
        return line.find() ? Double.parseDouble(line.group(1)) : -1;
    }
}
