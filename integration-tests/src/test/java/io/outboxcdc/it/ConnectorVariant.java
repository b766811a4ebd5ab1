package io.outboxcdc.it;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboxcdc.stack.ConnectRest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * A connector beside the shipped one: the shipped file with other values, and with a table, a publication and a slot of
 * its own, all of which bear its name.
 */
public final class ConnectorVariant {

    static final String ROUTER = "transforms.outbox.";

    private static final Duration DEPLOYMENT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final Map<String, String> settings;

    private ConnectorVariant(String name, Map<String, String> settings) {
        this.name = name;
        this.settings = settings;
    }

    /** The shipped file as it is. */
    public static Map<String, String> shipped(String file) {
        Path path = TestHome.path().resolve("connector-configs").resolve(file);
        try {
            return new TreeMap<>(JSON.readValue(path.toFile(), new TypeReference<Map<String, String>>() {}));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + path, e);
        }
    }

    static ConnectorVariant named(String name) {
        Map<String, String> settings = shipped("outbox-connector.json");
        settings.put("topic.prefix", name);
        settings.put("slot.name", name);
        settings.put("publication.name", name);
        settings.put("table.include.list", "public." + name);
        settings.put(ROUTER + "table.include.list", "public." + name);
        return new ConnectorVariant(name, settings);
    }

    ConnectorVariant with(String setting, String value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(setting, value);
        return new ConnectorVariant(name, more);
    }

    ConnectorVariant without(String setting) {
        Map<String, String> fewer = new TreeMap<>(settings);
        fewer.remove(setting);
        return new ConnectorVariant(name, fewer);
    }

    /** Makes the table with this type of payload, then publication and slot. */
    void createTable(OutboxTable database, String payloadType) throws SQLException {
        database.execute("CREATE TABLE public." + name + " (LIKE public.outbox INCLUDING DEFAULTS INCLUDING INDEXES)");
        database.execute("ALTER TABLE public." + name + " DROP COLUMN payload, ADD COLUMN payload " + payloadType);
        database.execute("CREATE PUBLICATION " + name + " FOR TABLE public." + name + " WITH (publish = 'insert')");
        database.execute("SELECT pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
    }

    /** Puts it and waits until its task runs. */
    void deploy(ConnectRest connect) {
        connect.put(name, json());
        connect.awaitRunning(name, DEPLOYMENT);
    }

    String json() {
        return json(settings);
    }

    public static String json(Map<String, String> settings) {
        try {
            return JSON.writeValueAsString(settings);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
