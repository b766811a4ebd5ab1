package io.outboxcdc.it.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboxcdc.monitor.SlotMonitor;
import io.outboxcdc.monitor.alert.AlertRule;
import io.outboxcdc.monitor.config.ConfigurationReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A small volume, a slot that nobody reads, a steady load: when will it be full? Full is when held WAL is as large as the
 * volume, since then no segment can be used again.
 */
class ForecastIT {

    private static final long MB = 1024 * 1024;
    private static final long VOLUME = 192 * MB;
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    final Databases databases = new Databases();

    private record Prediction(long atMillis, long heldBytes, double etaSeconds) {}

    @Test
    void fromHalfFullOnThePredictedTimeIsWithinAFifthOfTheTrueOne(@TempDir Path folder) throws Exception {
        TestDatabase database = databases.create(PostgresVersion.PG17);
        database.apply();
        database.run("CREATE TABLE noise (filler text)");
        Path file = folder.resolve("monitor.properties");
        Files.write(
                file,
                List.of(
                        "sample.interval=200ms",
                        "http.port=0",
                        "state.file=" + folder.resolve("state.json"),
                        "databases=shop",
                        "database.shop.jdbc.url="
                                + database.url("outbox_monitor").replaceAll("\\?.*", ""),
                        "database.shop.slots=outbox",
                        "database.shop.wal.volume=" + VOLUME / MB + "MB"));
        ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
        AtomicBoolean broken = new AtomicBoolean();
        List<Prediction> predictions = new ArrayList<>();
        Set<String> alerts = new HashSet<>();
        try (SlotMonitor monitor = SlotMonitor.start(ConfigurationReader.read(file, Map.of(), AlertRule.names()))) {
            var unused = load.scheduleAtFixedRate(() -> write(database, broken), 0, 250, TimeUnit.MILLISECONDS);
            await().atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        assertThat(broken).isFalse();
                        return look(monitor, predictions, alerts) >= VOLUME;
                    });
        } finally {
            load.shutdownNow();
        }

        long full = predictions.get(predictions.size() - 1).atMillis();
        List<Prediction> judged = predictions.stream()
                .filter(one -> one.heldBytes() >= VOLUME / 2 && one.heldBytes() <= VOLUME * 9 / 10)
                .toList();
        assertThat(judged).isNotEmpty().allSatisfy(one -> {
            double left = (full - one.atMillis()) / 1000.0;
            assertThat(one.etaSeconds()).isBetween(left * 0.8, left * 1.2);
        });
        assertThat(alerts).contains("OutboxDiskFullInMinutes");
    }

    /** The held bytes; a prediction and alerts are added to what was seen before. */
    private static long look(SlotMonitor monitor, List<Prediction> predictions, Set<String> alerts) throws IOException {
        JsonNode detail;
        try (InputStream stream =
                URI.create(monitor.url() + "api/detail").toURL().openStream()) {
            detail = JSON.readTree(stream);
        }
        detail.path("alerts").forEach(alert -> alerts.add(alert.path("name").asText()));
        JsonNode slot = detail.path("slots").path(0);
        long held = slot.path("retained_bytes").asLong();
        if (slot.path("eta_seconds").isNumber()) {
            predictions.add(new Prediction(
                    detail.path("time").asLong(), held, slot.path("eta_seconds").asDouble()));
        }
        return held;
    }

    /** Some two megabytes of WAL. */
    private static void write(TestDatabase database, AtomicBoolean broken) {
        try {
            database.run("INSERT INTO noise SELECT repeat(md5(n::text), 30) FROM generate_series(1, 2000) n");
        } catch (SQLException e) {
            broken.set(true);
        }
    }
}
