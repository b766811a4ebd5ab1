package io.outboxcdc.monitor.sample;

import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.ExpectedSlot.ConnectorRef;
import io.outboxcdc.monitor.core.Forecast;
import io.outboxcdc.monitor.core.KafkaFacts;
import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.Observation;
import io.outboxcdc.monitor.core.Preflight;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.core.SlotFacts;
import io.outboxcdc.monitor.core.SlotMemory;
import io.outboxcdc.monitor.core.StateDecision;
import io.outboxcdc.monitor.core.StoredOffset;
import io.outboxcdc.monitor.core.Thresholds;
import io.outboxcdc.monitor.core.TimeLag;
import io.outboxcdc.monitor.core.TimeSeries;
import io.outboxcdc.monitor.read.ConnectTarget;
import io.outboxcdc.monitor.read.DatabaseTarget;
import io.outboxcdc.monitor.sample.Snapshot.ClusterStatus;
import io.outboxcdc.monitor.sample.Snapshot.DatabaseStatus;
import io.outboxcdc.monitor.sample.Sources.ClusterReading;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Takes one sample after another. Not thread-safe. */
public final class Sampler {

    private final Clock clock;
    private final Sources sources;
    private final Map<String, ServerTrack> servers = new LinkedHashMap<>();
    private final Map<String, SlotTrack> slots = new LinkedHashMap<>();

    /** Samples these databases and clusters. */
    public Sampler(
            Clock clock, Sources sources, List<DatabaseTarget> databases, Thresholds thresholds, Duration interval) {
        this.clock = clock;
        this.sources = sources;
        StateDecision decision = new StateDecision(thresholds);
        for (DatabaseTarget database : databases) {
            servers.put(database.name(), new ServerTrack(database, interval));
            for (ExpectedSlot slot : database.slots()) {
                slots.put(slot.key(), new SlotTrack(slot, decision, interval));
            }
        }
    }

    /** What is remembered, for the state file. */
    public record Saved(Map<String, ServerTrack.Saved> servers, Map<String, SlotTrack.Saved> slots) {}

    /** What has to survive a restart. */
    public Saved save() {
        Map<String, ServerTrack.Saved> ofServers = new LinkedHashMap<>();
        servers.forEach((name, track) -> ofServers.put(name, track.save()));
        Map<String, SlotTrack.Saved> ofSlots = new LinkedHashMap<>();
        slots.forEach((name, track) -> ofSlots.put(name, track.save()));
        return new Saved(ofServers, ofSlots);
    }

    /** Goes on where a former run ended; what the configuration no longer names is forgotten. */
    public void restore(Saved saved) {
        saved.servers().forEach((name, track) -> {
            if (servers.containsKey(name)) {
                servers.get(name).restore(track);
            }
        });
        saved.slots().forEach((name, track) -> {
            if (slots.containsKey(name)) {
                slots.get(name).restore(track);
            }
        });
    }

    /** Held and unconfirmed bytes over time. */
    public record History(TimeSeries retained, TimeSeries unconfirmed) {}

    /** The history of each slot, by {@link ExpectedSlot#key()}. */
    public Map<String, History> histories() {
        Map<String, History> all = new LinkedHashMap<>();
        slots.forEach((key, track) -> all.put(key, new History(track.retained(), track.unconfirmed())));
        return all;
    }

    /** Reads everything, in the order that {@link Observation} asks for, and judges it. */
    public Snapshot sample() {
        Instant begin = clock.instant();
        Map<String, Reading<ServerFacts>> facts = sources.readDatabases();
        Map<String, ClusterReading> clusters = sources.readClusters();
        Map<String, Optional<Lsn>> heads = sources.readHeads();
        Instant now = clock.instant();

        facts.forEach((name, reading) -> track(name).take(now, reading));
        List<SlotStatus> statuses = new ArrayList<>();
        for (SlotTrack slot : slots.values()) {
            ServerTrack server = track(slot.expected().database());
            Observation observation = observe(now, slot, facts, clusters, heads);
            statuses.add(slot.take(observation, server));
        }
        return new Snapshot(
                now,
                Duration.between(begin, now),
                databases(facts, statuses),
                statuses,
                clusters.values().stream()
                        .map(cluster -> clusterStatus(cluster))
                        .toList());
    }

    private ServerTrack track(String database) {
        return Objects.requireNonNull(servers.get(database), database);
    }

    private Observation observe(
            Instant now,
            SlotTrack slot,
            Map<String, Reading<ServerFacts>> facts,
            Map<String, ClusterReading> clusters,
            Map<String, Optional<Lsn>> heads) {
        ExpectedSlot expected = slot.expected();
        ServerTrack server = track(expected.database());
        Reading<ServerFacts> reading = facts.getOrDefault(expected.database(), Reading.unknown("not read"));
        Optional<Reading<Optional<ConnectorFacts>>> connector =
                expected.connector().map(reference -> connector(reference, clusters));
        Optional<StoredOffset> offset = connector
                .flatMap(Reading::value)
                .flatMap(found -> found)
                .flatMap(found -> found.offset().value())
                .flatMap(found -> found);
        Optional<SlotFacts> found = reading.value().map(known -> known.slots().get(expected.slot()));
        SlotMemory memory = slot.remember(now, reading.value(), found, offset);
        TimeLag lag = found.flatMap(SlotFacts::confirmed)
                .map(confirmed -> TimeLag.of(server.heads(), confirmed, now.toEpochMilli()))
                .orElse(new TimeLag(0, false));
        return new Observation(
                now,
                expected,
                reading,
                connector,
                heads.getOrDefault(expected.database(), Optional.empty()),
                expected.connector().flatMap(reference -> kafka(reference, clusters)),
                server.change(),
                lag,
                memory);
    }

    private static Reading<Optional<ConnectorFacts>> connector(
            ConnectorRef reference, Map<String, ClusterReading> clusters) {
        ClusterReading cluster = clusters.get(reference.cluster());
        return cluster == null
                ? Reading.unknown("no such Connect cluster is configured")
                : cluster.connectors().map(all -> Optional.ofNullable(all.get(reference.name())));
    }

    private static Optional<Reading<KafkaFacts>> kafka(ConnectorRef reference, Map<String, ClusterReading> clusters) {
        return Optional.ofNullable(clusters.get(reference.cluster()))
                .map(cluster -> cluster.kafka().get(reference.name()));
    }

    private List<DatabaseStatus> databases(Map<String, Reading<ServerFacts>> facts, List<SlotStatus> statuses) {
        List<DatabaseStatus> all = new ArrayList<>();
        servers.forEach((name, track) -> {
            List<ConnectorFacts> connectors = statuses.stream()
                    .filter(slot -> slot.expected().database().equals(name))
                    .flatMap(slot -> slot.observation().connectorFacts().stream())
                    .toList();
            all.add(new DatabaseStatus(
                    name,
                    facts.getOrDefault(name, Reading.unknown("not read")),
                    track.lastKnown(),
                    track.lastKnown()
                            .map(server -> Forecast.diskFull(server, track.growth()))
                            .orElse(Forecast.NONE.diskFullSeconds()),
                    track.lastKnown()
                            .map(server -> Preflight.of(server, connectors))
                            .orElse(List.of())));
        });
        return all;
    }

    private static ClusterStatus clusterStatus(ClusterReading cluster) {
        ConnectTarget target = cluster.target();
        return new ClusterStatus(
                target.name(),
                cluster.connectors(),
                target.connectors().stream().sorted().toList(),
                cluster.kafka());
    }
}
