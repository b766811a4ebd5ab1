package io.outboxcdc.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.outboxcdc.monitor.SlotMonitor;
import io.outboxcdc.monitor.alert.AlertRule;
import io.outboxcdc.monitor.config.ConfigurationReader;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.PostgresAddress;
import io.outboxcdc.stack.StartupProgress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.awaitility.Awaitility.await;

/** A pipeline, the monitor that watches it as outbox_monitor, and a webhook that takes its alerts. */
final class WatchedPipeline implements AutoCloseable {

    static final String PASSWORD = "OUTBOX_MONITOR_PASSWORD";
    static final String SECRET = "monitor-secret-4711";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FIRST_REFUSAL = 400;

    private final OutboxPipeline pipeline;
    private final HttpServer webhook;
    private final List<JsonNode> messages;
    private final HttpClient client = HttpClient.newHttpClient();
    private final SlotMonitor monitor;

    private WatchedPipeline(OutboxPipeline pipeline, HttpServer webhook, List<JsonNode> messages, SlotMonitor monitor) {
        this.pipeline = pipeline;
        this.webhook = webhook;
        this.messages = messages;
        this.monitor = monitor;
    }

    static WatchedPipeline start(Path folder, Map<String, String> settings) throws Exception {
        OutboxPipeline pipeline =
                OutboxPipeline.start(TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
        HttpServer webhook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        List<JsonNode> messages = new CopyOnWriteArrayList<>();
        webhook.createContext("/", exchange -> {
            messages.add(JSON.readTree(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        webhook.start();
        execute(pipeline, "ALTER ROLE outbox_monitor PASSWORD '" + SECRET + "'");
        Path configuration = configure(folder, settings, pipeline, webhook);
        SlotMonitor monitor =
                SlotMonitor.start(ConfigurationReader.read(configuration, Map.of(PASSWORD, SECRET), AlertRule.names()));
        return new WatchedPipeline(pipeline, webhook, messages, monitor);
    }

    private static Path configure(
            Path folder, Map<String, String> settings, OutboxPipeline pipeline, HttpServer webhook) throws IOException {
        PostgresAddress postgres = pipeline.stack().postgres();
        List<String> lines = new ArrayList<>(List.of(
                "sample.interval=500ms",
                "http.port=0",
                "state.file=" + folder.resolve("state.json"),
                "databases=shop",
                "database.shop.jdbc.url=jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + postgres.database(),
                "database.shop.password=${env:" + PASSWORD + "}",
                "database.shop.slots=outbox",
                "database.shop.slot.outbox.connector=main/outbox",
                "connect.clusters=main",
                "connect.main.url=" + pipeline.stack().connectUrl(),
                "connect.main.kafka.bootstrap.servers=" + pipeline.stack().bootstrapServers(),
                "alert.webhook.url=http://127.0.0.1:" + webhook.getAddress().getPort() + "/",
                "alert.resolve.after=1s"));
        settings.forEach((key, value) -> lines.add(key + "=" + value));
        return Files.write(folder.resolve("monitor.properties"), lines);
    }

    SlotMonitor monitor() {
        return monitor;
    }

    OutboxPipeline pipeline() {
        return pipeline;
    }

    OutboxTable outbox() {
        return new OutboxTable(pipeline.stack().postgres());
    }

    /** The only slot as {@code /api/status} shows it. */
    JsonNode slot() {
        return get(monitor.url() + "api/status").path("slots").path(0);
    }

    String state() {
        return slot().path("state").asText();
    }

    String cause() {
        return slot().path("cause").asText();
    }

    JsonNode get(String url) {
        try {
            return JSON.readTree(text(url));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text(String url) {
        return send(HttpRequest.newBuilder(URI.create(url)).build());
    }

    int status(String path) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(URI.create(monitor.url() + path)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    /** Something to be done by the worker, such as {@code PUT /connectors/outbox/stop}. */
    void connect(String method, String path, String body) {
        send(HttpRequest.newBuilder(URI.create(pipeline.stack().connectUrl() + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build());
    }

    /** Changes the connector's configuration, and returns when its new task reads the slot. */
    void reconfigure(ObjectNode config) {
        String reader = "SELECT coalesce((SELECT active_pid FROM pg_replication_slots WHERE slot_name = 'outbox'), 0)";
        String before = one(reader);
        connect("PUT", "/connectors/outbox/config", config.toString());
        await().atMost(Duration.ofSeconds(60)).until(() -> one(reader), pid -> !pid.equals("0") && !pid.equals(before));
    }

    /** The connector's configuration as it is now. */
    ObjectNode connectorConfig() {
        return (ObjectNode) get(pipeline.stack().connectUrl() + "/connectors/outbox/config");
    }

    private String send(HttpRequest request) {
        try {
            var response = client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
            if (response.statusCode() >= FIRST_REFUSAL) {
                throw new IllegalStateException(
                        request.uri() + " answers " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What the webhook was told, as status and name. */
    List<String> told() {
        List<String> told = new ArrayList<>();
        for (JsonNode message : messages) {
            message.path("alerts")
                    .forEach(alert -> told.add(alert.path("status").asText() + " "
                            + alert.path("name").asText()));
        }
        return told;
    }

    String everythingTold() {
        return messages.toString();
    }

    void forgetTold() {
        messages.clear();
    }

    void execute(String sql) {
        execute(pipeline, sql);
    }

    private static void execute(OutboxPipeline pipeline, String sql) {
        try (Connection connection = pipeline.stack().postgres().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    String one(String sql) {
        try (Connection connection = pipeline.stack().postgres().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        monitor.close();
        webhook.stop(0);
        pipeline.close();
    }
}
