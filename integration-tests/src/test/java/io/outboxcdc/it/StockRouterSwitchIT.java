package io.outboxcdc.it;

import io.outboxcdc.stack.ConnectRest;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** From the stock router to ours and back on a live connector, as the how-to says, while events are written. */
class StockRouterSwitchIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String NAME = "switched";
    private static final String TOPIC = "outbox.event." + NAME;
    private static final String ROUTER = ConnectorVariant.ROUTER;
    private static final String STRINGS = "org.apache.kafka.connect.storage.StringConverter";

    /** A configuration as people have it who use the stock router. */
    private static final ConnectorVariant STOCK = ConnectorVariant.named(NAME)
            .with("key.converter", STRINGS)
            .with("value.converter", STRINGS)
            .with(ROUTER + "type", "io.debezium.transforms.outbox.EventRouter")
            .with(ROUTER + "route.by.field", "aggregate_type")
            .with(ROUTER + "table.field.event.key", "aggregate_id")
            .with(ROUTER + "table.fields.additional.placement", "event_type:header:eventType")
            .without(ROUTER + "table.include.list")
            .without(ROUTER + "table.field.event.headers")
            .without(ROUTER + "event.type.header")
            .without(ROUTER + "on.invalid.event")
            .without(ROUTER + "dead.letter.topic")
            .without(ROUTER + "max.record.bytes")
            .without(ROUTER + "snapshot.events");

    private static final ConnectorVariant OURS = STOCK.with(ROUTER + "type", "io.outboxcdc.router.OutboxRouter");

    @Test
    void noEventIsLostDoubledOrChangedByTheSwitchAndTheWayBack() throws Exception {
        ExecutorService writer = Executors.newSingleThreadExecutor();
        AtomicBoolean written = new AtomicBoolean();
        try (OutboxPipeline pipeline = OutboxPipeline.startWithoutConnector(
                        TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
                Topics topics = new Topics(pipeline.stack().bootstrapServers());
                WorkerMetrics metrics = WorkerMetrics.of(pipeline.stack().connectProcess())) {
            OutboxTable database = new OutboxTable(pipeline.stack().postgres());
            ConnectRest connect = pipeline.stack().connect();
            STOCK.createTable(database, "jsonb");
            STOCK.deploy(connect);
            List<UUID> ids = new CopyOnWriteArrayList<>();
            Future<?> writing = writer.submit(() -> write(database, ids, written));

            awaitMore(topics, ids);
            OURS.deploy(connect);
            await().atMost(SOON).until(() -> ours(metrics));
            awaitMore(topics, ids);
            STOCK.deploy(connect);
            await().atMost(SOON).until(() -> !ours(metrics));
            awaitMore(topics, ids);

            written.set(true);
            writing.get(SOON.toSeconds(), TimeUnit.SECONDS);
            topics.await(TOPIC, ids.get(ids.size() - 1), SOON);
            assertThat(topics.idsOf(TOPIC)).containsExactlyElementsOf(ids);
            for (ConsumerRecord<byte[], byte[]> record : topics.records(TOPIC)) {
                assertThat(Topics.headers(record))
                        .containsExactly("id=" + Topics.header(record, "id"), "eventType=Happened");
                assertThat(new String(record.value(), UTF_8)).isEqualTo("{\"a\": 1.10}");
                assertThat(record.key()).isEqualTo("1".getBytes(UTF_8));
            }
        } finally {
            written.set(true);
            writer.shutdownNow();
        }
    }

    @Test
    void theHowToNamesTheOptionsThatHaveToGo() throws IOException {
        String page = Files.readString(TestHome.path().resolve("docs/how-to/switch-from-the-stock-router.md"));

        assertThat(page).contains("\"transforms.outbox.type\": \"io.outboxcdc.router.OutboxRouter\"");
        ConnectorVariant.shipped("outbox-connector.json").keySet().stream()
                .filter(name -> name.startsWith(ROUTER) && !name.endsWith(".type"))
                .forEach(name -> assertThat(page).contains("`" + name.substring(ROUTER.length()) + "`"));
    }

    private static Void write(OutboxTable database, List<UUID> ids, AtomicBoolean written) throws SQLException {
        while (!written.get()) {
            UUID id = UUID.randomUUID();
            database.execute("INSERT INTO public." + NAME
                    + " (id, aggregate_type, aggregate_id, event_type, payload) VALUES ('" + id + "', '" + NAME
                    + "', '1', 'Happened', '{\"a\": 1.10}')");
            ids.add(id);
        }
        return null;
    }

    /** The events go on to arrive. */
    private static void awaitMore(Topics topics, List<UUID> ids) {
        int before = ids.size();
        await().atMost(SOON).until(() -> topics.idsOf(TOPIC).size() > before + 50);
    }

    private static boolean ours(WorkerMetrics metrics) throws Exception {
        return metrics.ofTransform(NAME, "", "published-total").isPresent();
    }
}
