package io.outboxcdc.stack;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** One distributed Connect worker: the project's own worker settings, and what a worker alone on a machine needs. */
final class ConnectWorker {

    static final String NAME = "Kafka Connect";
    static final String ARCHIVE = "connect";

    private final Path folder;
    private final RuntimeFolder runtime;
    private final Ports ports;
    private final JavaCommand java;
    private final JvmProfile jvms;
    private final Map<String, String> ownSettings;
    private final ConnectRest rest;

    ConnectWorker(
            Path workFolder,
            RuntimeFolder runtime,
            Ports ports,
            JavaCommand java,
            JvmProfile jvms,
            Map<String, String> ownSettings) {
        this.folder = folder(workFolder);
        this.runtime = runtime;
        this.ports = ports;
        this.java = java;
        this.jvms = jvms;
        this.ownSettings = ownSettings;
        this.rest = new ConnectRest(url());
    }

    static Path folder(Path workFolder) {
        return workFolder.resolve("connect");
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + ports.connect());
    }

    ConnectRest rest() {
        return rest;
    }

    /** The process; {@code database} is what the connector configurations find in the environment. */
    ChildProcess process(Path log, Guardian guardian, String bootstrapServers, PostgresAddress database) {
        Path properties = folder.resolve("worker.properties");
        PropertiesFile.write(properties, settings(bootstrapServers));
        List<String> command = new ArrayList<>(java.running(
                "org.apache.kafka.connect.cli.ConnectDistributed", ARCHIVE, folder, jvms.workerHeap(), jvms.flags()));
        command.add(properties.toString());
        Map<String, String> environment = Map.of(
                "OUTBOX_DB_HOST", database.host(),
                "OUTBOX_DB_PORT", Integer.toString(database.port()),
                "OUTBOX_DB_NAME", database.database(),
                "OUTBOX_DB_USER", database.user(),
                "OUTBOX_DB_PASSWORD", database.password());
        Part part = new Part(NAME, () -> command, environment, folder, log, rest::isReady, "TERM", "KILL");
        return new ChildProcess(part, guardian);
    }

    private Properties settings(String bootstrapServers) {
        Properties settings = PropertiesFile.read(runtime.workerProperties());
        settings.putAll(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "listeners",
                url().toString(),
                "rest.advertised.host.name",
                "127.0.0.1",
                "plugin.path",
                runtime.plugins().toString(),
                "config.providers.file.param.allowed.paths",
                folder.toString()));
        settings.putAll(Map.of(
                "config.storage.replication.factor", "1",
                "offset.storage.replication.factor", "1",
                "offset.storage.partitions", "1",
                "status.storage.replication.factor", "1",
                "status.storage.partitions", "1"));
        // It is started before the broker listens, and looks again often; the default goes up to a second and more.
        settings.put("reconnect.backoff.max.ms", "100");
        // A worker killed and started again waits for its former self to be given up: by the session's time, or,
        // when it was killed during or soon after a join, by the rebalance's. The default of that is a minute.
        settings.putAll(Map.of(
                "session.timeout.ms", "5000",
                "heartbeat.interval.ms", "1000",
                "rebalance.timeout.ms", "5000",
                "scheduled.rebalance.max.delay.ms", "0"));
        settings.putAll(ownSettings);
        return settings;
    }
}
