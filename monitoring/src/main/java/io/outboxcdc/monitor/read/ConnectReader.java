package io.outboxcdc.monitor.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.StoredOffset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.outboxcdc.monitor.read.ConnectClient.segment;

/** Reads a Connect cluster: all connectors in one request, and the offsets of those that are watched. */
public final class ConnectReader {

    private final ConnectTarget target;
    private final ConnectClient client;

    /** Reads this cluster. */
    public ConnectReader(ConnectTarget target) {
        this.target = target;
        this.client = new ConnectClient(target);
    }

    /** All connectors by name. */
    public Reading<Map<String, ConnectorFacts>> read() {
        try {
            Map<String, ConnectorFacts> found = new HashMap<>();
            for (Map.Entry<String, JsonNode> connector :
                    client.get("/connectors?expand=status&expand=info").properties()) {
                found.put(connector.getKey(), facts(connector.getKey(), connector.getValue()));
            }
            return Reading.known(found);
        } catch (IOException e) {
            return Reading.unknown(String.valueOf(e.getMessage()));
        }
    }

    /** Starts the connector's failed parts again. */
    public void restartFailed(String connector) throws IOException {
        client.request("POST", "/connectors/" + segment(connector) + "/restart?includeTasks=true&onlyFailed=true");
    }

    /** Stops the connector; its offsets stay. */
    public void stop(String connector) throws IOException {
        client.request("PUT", "/connectors/" + segment(connector) + "/stop");
    }

    private ConnectorFacts facts(String name, JsonNode json) {
        JsonNode status = json.path("status");
        List<ConnectorFacts.Task> tasks = new ArrayList<>();
        for (JsonNode task : status.path("tasks")) {
            tasks.add(new ConnectorFacts.Task(
                    task.path("id").asInt(),
                    task.path("state").asText("UNASSIGNED"),
                    TraceReading.of(task.path("trace").asText(""))));
        }
        Map<String, String> config = new HashMap<>();
        for (Map.Entry<String, JsonNode> setting :
                json.path("info").path("config").properties()) {
            config.put(setting.getKey(), setting.getValue().asText(""));
        }
        return new ConnectorFacts(
                name,
                status.path("connector").path("state").asText("UNASSIGNED"),
                tasks,
                config,
                target.connectors().contains(name) ? offset(name) : Reading.unknown("not watched"));
    }

    private Reading<Optional<StoredOffset>> offset(String name) {
        try {
            JsonNode offsets =
                    client.get("/connectors/" + segment(name) + "/offsets").path("offsets");
            Optional<StoredOffset> stored = Optional.empty();
            for (JsonNode partition : offsets) {
                stored = Optional.of(offset(partition.path("offset")));
            }
            return Reading.known(stored);
        } catch (IOException e) {
            return Reading.unknown(String.valueOf(e.getMessage()));
        }
    }

    private static StoredOffset offset(JsonNode json) {
        return new StoredOffset(lsn(json, "lsn_commit"), lsn(json, "lsn_proc"), lsn(json, "lsn"));
    }

    private static Optional<Lsn> lsn(JsonNode json, String field) {
        return json.path(field).canConvertToLong()
                ? Optional.of(new Lsn(json.path(field).asLong()))
                : Optional.empty();
    }
}
