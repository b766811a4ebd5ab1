package io.outboxcdc.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The REST interface of a Kafka Connect cluster. Requests that meet a rebalance (409) are repeated for up to a
 * minute. Thread-safe. Methods throw {@link StackException} when the worker cannot be reached or refuses.
 *
 * @see <a href="https://kafka.apache.org/documentation/#connect_rest">Kafka Connect, REST API</a>
 */
public final class ConnectRest {

    private static final Duration POLL = Duration.ofMillis(200);

    private final ConnectHttp http;

    /** A client of the worker at {@code url}, such as {@code http://127.0.0.1:8083}. */
    public ConnectRest(URI url) {
        this.http = new ConnectHttp(url);
    }

    /**
     * Whether the worker has joined its group and works. {@code GET /connectors} answers before that; {@code GET
     * /health} (KIP-1017) does not.
     */
    public boolean isReady() {
        return http.isHealthy();
    }

    /** The names of all connectors. */
    public List<String> connectors() {
        List<String> names = new ArrayList<>();
        http.get("/connectors").forEach(name -> names.add(name.asText()));
        return names;
    }

    /** Creates a connector or changes it. {@code config} is the JSON object of its settings. */
    public void put(String name, String config) {
        http.put("/connectors/" + ConnectHttp.segment(name) + "/config", ConnectHttp.object(config));
    }

    /** The status; empty when there is no such connector, or the worker has not heard of its state yet. */
    public Optional<ConnectorStatus> status(String name) {
        return http.find("/connectors/" + ConnectHttp.segment(name) + "/status").map(ConnectRest::status);
    }

    /**
     * Waits until the connector and all its tasks run.
     *
     * @return the status then
     * @throws StackException if one of them fails, with the root cause in its first line, or the time is over
     */
    public ConnectorStatus awaitRunning(String name, Duration atMost) {
        RetryPolicy<Optional<ConnectorStatus>> untilDecided = RetryPolicy.<Optional<ConnectorStatus>>builder()
                .handleResultIf(status -> !status.map(ConnectRest::isDecided).orElse(false))
                .withDelay(POLL)
                .withMaxRetries(-1)
                .withMaxDuration(atMost)
                .build();
        Optional<ConnectorStatus> last = Failsafe.with(untilDecided).get(() -> status(name));
        last.ifPresent(TaskFailure::throwIfFailed);
        return last.filter(ConnectorStatus::isRunning)
                .orElseThrow(() -> new StackException("Connector %s does not run after %d s: %s."
                        .formatted(
                                name,
                                atMost.toSeconds(),
                                last.map(TaskFailure::states).orElse("the worker knows no status of it"))));
    }

    /** Deletes a connector; its offsets stay. Answers whether there was one. */
    public boolean delete(String name) {
        return http.delete("/connectors/" + ConnectHttp.segment(name));
    }

    /** Starts a connector and all its tasks again. */
    public void restart(String name) {
        http.post("/connectors/" + ConnectHttp.segment(name) + "/restart?includeTasks=true&onlyFailed=false");
    }

    /** All plugins of the worker: connectors, transforms, predicates, converters. */
    public List<ConnectorPlugin> plugins() {
        List<ConnectorPlugin> plugins = new ArrayList<>();
        for (JsonNode plugin : http.get("/connector-plugins?connectorsOnly=false")) {
            plugins.add(new ConnectorPlugin(
                    plugin.path("class").asText(),
                    plugin.path("type").asText(),
                    plugin.path("version").asText("")));
        }
        return plugins;
    }

    /** Lets the worker check a configuration that is not put. */
    public ConfigCheck validate(String name, String config) {
        ObjectNode settings = ConnectHttp.object(config);
        settings.put("name", name);
        String connectorClass = settings.path("connector.class").asText();
        JsonNode answer =
                http.put("/connector-plugins/" + ConnectHttp.segment(connectorClass) + "/config/validate", settings);

        Set<String> known = new HashSet<>();
        Map<String, List<String>> problems = new TreeMap<>();
        for (JsonNode key : answer.path("configs")) {
            known.add(key.path("definition").path("name").asText());
            List<String> errors = new ArrayList<>();
            key.path("value").path("errors").forEach(error -> errors.add(error.asText()));
            if (!errors.isEmpty()) {
                problems.put(key.path("value").path("name").asText(), errors);
            }
        }
        return new ConfigCheck(known, problems);
    }

    private static boolean isDecided(ConnectorStatus status) {
        return status.isRunning() || TaskFailure.isIn(status);
    }

    private static ConnectorStatus status(JsonNode json) {
        List<ConnectorStatus.Task> tasks = new ArrayList<>();
        for (JsonNode task : json.path("tasks")) {
            tasks.add(new ConnectorStatus.Task(
                    task.path("id").asInt(),
                    task.path("state").asText(),
                    task.path("worker_id").asText(),
                    task.path("trace").asText()));
        }
        JsonNode connector = json.path("connector");
        return new ConnectorStatus(
                json.path("name").asText(),
                connector.path("state").asText(),
                connector.path("worker_id").asText(),
                connector.path("trace").asText(),
                tasks);
    }
}
