package io.outboxcdc.monitor.sample;

import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.KafkaFacts;
import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.read.ConnectReader;
import io.outboxcdc.monitor.read.ConnectTarget;
import io.outboxcdc.monitor.read.DatabaseTarget;
import io.outboxcdc.monitor.read.KafkaReader;
import io.outboxcdc.monitor.read.PostgresReader;

import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** All readers, each kind of them asked side by side, so that one that hangs costs the others nothing but its bound. */
public final class Sources implements AutoCloseable {

    private final Map<String, PostgresReader> databases = new LinkedHashMap<>();
    private final Map<String, ConnectTarget> targets = new LinkedHashMap<>();
    private final Map<String, ConnectReader> clusters = new LinkedHashMap<>();
    private final Map<String, KafkaReader> kafkas = new LinkedHashMap<>();
    private final Map<String, List<ConnectorFacts>> watched = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "slot-monitor-reader");
        thread.setDaemon(true);
        return thread;
    });

    /** Readers for these databases and clusters; nothing is connected yet. */
    public Sources(List<DatabaseTarget> databases, List<ConnectTarget> clusters) {
        databases.forEach(target -> this.databases.put(target.name(), new PostgresReader(target)));
        for (ConnectTarget target : clusters) {
            targets.put(target.name(), target);
            this.clusters.put(target.name(), new ConnectReader(target));
            if (!target.kafka().isEmpty()) {
                kafkas.put(target.name(), new KafkaReader(target.kafka()));
            }
        }
    }

    /** What one cluster and its Kafka say. */
    record ClusterReading(
            ConnectTarget target,
            Reading<Map<String, ConnectorFacts>> connectors,
            Map<String, Reading<KafkaFacts>> kafka) {}

    Map<String, Reading<ServerFacts>> readDatabases() {
        return sideBySide(databases, PostgresReader::read);
    }

    Map<String, Optional<Lsn>> readHeads() {
        return sideBySide(databases, PostgresReader::head);
    }

    Map<String, ClusterReading> readClusters() {
        return sideBySide(targets, this::readCluster);
    }

    private ClusterReading readCluster(ConnectTarget target) {
        Reading<Map<String, ConnectorFacts>> connectors = cluster(target.name()).read();
        KafkaReader kafka = kafkas.get(target.name());
        if (kafka == null) {
            return new ClusterReading(target, connectors, Map.of());
        }
        // While Connect does not answer, Kafka is read on for the connectors as they were last.
        connectors
                .value()
                .ifPresent(all -> watched.put(
                        target.name(),
                        all.values().stream()
                                .filter(connector -> target.connectors().contains(connector.name()))
                                .toList()));
        return new ClusterReading(target, connectors, kafka.read(watched.getOrDefault(target.name(), List.of())));
    }

    /** Starts a connector's failed parts again. */
    public void restartFailed(String cluster, String connector) throws IOException {
        cluster(cluster).restartFailed(connector);
    }

    /** Stops a connector; its offsets stay. */
    public void stop(String cluster, String connector) throws IOException {
        cluster(cluster).stop(connector);
    }

    /** Writes a heartbeat into a database's WAL. */
    public void emitHeartbeat(String database) throws SQLException {
        Objects.requireNonNull(databases.get(database), database).emitHeartbeat();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        databases.values().forEach(PostgresReader::close);
        kafkas.values().forEach(KafkaReader::close);
    }

    private ConnectReader cluster(String name) {
        return Objects.requireNonNull(clusters.get(name), name);
    }

    private <S, R> Map<String, R> sideBySide(Map<String, S> sources, Function<S, R> read) {
        Map<String, CompletableFuture<R>> running = new LinkedHashMap<>();
        sources.forEach(
                (name, source) -> running.put(name, CompletableFuture.supplyAsync(() -> read.apply(source), threads)));
        Map<String, R> answers = new LinkedHashMap<>();
        running.forEach((name, answer) -> answers.put(name, answer.join()));
        return answers;
    }
}
