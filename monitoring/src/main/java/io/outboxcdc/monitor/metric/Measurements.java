package io.outboxcdc.monitor.metric;

import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.Failover;
import io.outboxcdc.monitor.core.Forecast;
import io.outboxcdc.monitor.core.Observation;
import io.outboxcdc.monitor.core.OutboxFacts;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.core.ServerFacts.OpenWriter;
import io.outboxcdc.monitor.core.SlotFacts;
import io.outboxcdc.monitor.core.SlotFacts.Decoding;
import io.outboxcdc.monitor.core.SlotFacts.Walsender;
import io.outboxcdc.monitor.core.SlotState;
import io.outboxcdc.monitor.sample.SlotStatus;
import io.outboxcdc.monitor.sample.SlotStatus.Measures;
import io.outboxcdc.monitor.sample.Snapshot;
import io.outboxcdc.monitor.sample.Snapshot.ClusterStatus;
import io.outboxcdc.monitor.sample.Snapshot.DatabaseStatus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** All metrics of a sample. Every series of what is configured is there every time. */
public final class Measurements {

    private static final double INFINITE = Double.POSITIVE_INFINITY;
    private static final double MILLIS = 1000;

    private final Snapshot snapshot;
    private final Extras extras;
    private final List<Measurement> all = new ArrayList<>();

    /**
     * What is measured elsewhere than in a sample.
     *
     * @param samples samples taken
     * @param watch what was seen of Kafka over time
     * @param upkeep what became of upkeep, by database
     */
    public record Extras(long samples, ActionCounts actions, KafkaWatch watch, Map<String, UpkeepCounts> upkeep) {}

    private Measurements(Snapshot snapshot, Extras extras) {
        this.snapshot = snapshot;
        this.extras = extras;
    }

    /** The measurements of a sample. */
    public static List<Measurement> of(Snapshot snapshot, Extras extras) {
        Measurements measurements = new Measurements(snapshot, extras);
        snapshot.slots().forEach(measurements::slot);
        snapshot.databases().forEach(measurements::database);
        snapshot.clusters().forEach(measurements::cluster);
        measurements.monitor();
        return List.copyOf(measurements.all);
    }

    private void slot(SlotStatus status) {
        List<String> labels =
                List.of(status.expected().database(), status.expected().slot());
        for (SlotState state : SlotState.values()) {
            add(
                    Metric.STATE,
                    List.of(labels.get(0), labels.get(1), state.name()),
                    flag(state == status.finding().state()));
        }
        Measures measures = status.measures();
        Observation sample = status.observation();
        Optional<SlotFacts> facts = measures.facts();
        Optional<ServerFacts> server = snapshot.lastKnown(status.expected());
        add(Metric.PRESENT, labels, flag(facts.isPresent()));
        add(Metric.ACTIVE, labels, flag(facts.map(SlotFacts::active).orElse(false)));
        add(Metric.RETAINED_BYTES, labels, measures.retainedBytes());
        add(Metric.RETAINED_RATIO, labels, ratio(measures.retainedBytes(), server));
        add(Metric.UNCONFIRMED_BYTES, labels, measures.unconfirmedBytes());
        add(Metric.HELD_BEFORE_CONFIRM_BYTES, labels, measures.heldBeforeConfirmBytes());
        add(
                Metric.UNSENT_BYTES,
                labels,
                walsender(facts).map(Walsender::unsentBytes).orElse(0L));
        add(Metric.LAG_SECONDS, labels, measures.lag().seconds());
        add(Metric.GROWTH_BYTES_PER_SECOND, labels, measures.growth().orElse(0));
        add(Metric.SAFE_WAL_BYTES, labels, safe(facts));
        add(
                Metric.LOST_ETA_SECONDS,
                labels,
                measures.forecast().slotLostSeconds().orElse(INFINITE));
        add(
                Metric.ETA_SECONDS,
                labels,
                measures.forecast().first().map(Forecast.Event::seconds).orElse(INFINITE));
        add(
                Metric.REPLY_AGE_SECONDS,
                labels,
                walsender(facts)
                        .map(Walsender::replyAgeSeconds)
                        .orElse(OptionalDouble.empty())
                        .orElse(0));
        add(Metric.STANDSTILL_SECONDS, labels, standstill(status));
        add(Metric.OFFSET_GAP_BYTES, labels, measures.offsetGapBytes());
        add(Metric.OFFSET_AHEAD_BYTES, labels, measures.offsetAheadBytes());
        add(Metric.SERVER_CHANGED, labels, flag(sample.serverChange().isPresent()));
        add(
                Metric.PUBLICATION_INTACT,
                labels,
                flag(status.finding().state() != SlotState.PUBLICATION_BROKEN
                        && sample.publication()
                                .map(found -> found.problem().isEmpty())
                                .orElse(true)));
        add(
                Metric.CATALOG_XMIN_AGE_TRANSACTIONS,
                labels,
                facts.filter(found -> !found.isLost())
                        .map(SlotFacts::catalogXminAge)
                        .orElse(0L));
        add(Metric.SPILLED_RECENTLY_BYTES, labels, measures.spilledRecently());
        add(
                Metric.SPILL_ON_DISK_BYTES,
                labels,
                facts.flatMap(SlotFacts::decoding)
                        .map(Decoding::spilledOnDisk)
                        .orElse(OptionalLong.empty())
                        .orElse(0));
        add(
                Metric.FAILOVER_READY,
                labels,
                flag(server.map(known -> Failover.problems(status.expected(), facts, known)
                                .isEmpty())
                        .orElse(true)));
        add(Metric.READER_MISSING, labels, flag(readerMissing(status)));
        kafka(status, labels);
        Optional<OutboxFacts> outbox =
                server.map(known -> known.outboxes().get(status.expected().slot()));
        add(Metric.OUTBOX_ROWS, labels, outbox.map(OutboxFacts::estimatedRows).orElse(0L));
        add(Metric.OUTBOX_BYTES, labels, outbox.map(OutboxFacts::bytes).orElse(0L));
        add(
                Metric.OUTBOX_PARTITIONS,
                labels,
                outbox.map(found -> found.partitions().size()).orElse(0));
        add(
                Metric.OUTBOX_PARTITIONS_AHEAD_SECONDS,
                labels,
                outbox.map(OutboxFacts::aheadSeconds)
                        .orElse(OptionalDouble.empty())
                        .orElse(INFINITE));
        add(
                Metric.OUTBOX_PARTITIONS_AHEAD_RATIO,
                labels,
                outbox.map(OutboxFacts::aheadRatio)
                        .orElse(OptionalDouble.empty())
                        .orElse(INFINITE));
    }

    private void kafka(SlotStatus status, List<String> labels) {
        if (status.observation().kafka().isEmpty()) {
            return;
        }
        String key = status.expected().key();
        add(Metric.HEARTBEAT_AGE_SECONDS, labels, extras.watch().heartbeatAge(key, snapshot.time()));
        add(Metric.DEAD_LETTERS, labels, extras.watch().deadLetters(key));
        add(Metric.DEAD_LETTERS_RECENTLY, labels, extras.watch().deadLettersRecently(key, snapshot.time()));
    }

    private void database(DatabaseStatus status) {
        List<String> labels = List.of(status.name());
        Optional<ServerFacts> known = status.lastKnown();
        add(Metric.DATABASE_UP, labels, flag(status.reading().value().isPresent()));
        add(Metric.WAL_BYTES, labels, known.map(facts -> facts.wal().bytes()).orElse(0L));
        add(Metric.WAL_HELD_BYTES, labels, known.map(ServerFacts::heldBytes).orElse(0L));
        add(
                Metric.ARCHIVE_READY_SEGMENTS,
                labels,
                known.map(facts -> facts.wal().readyToArchive()).orElse(0L));
        add(
                Metric.ARCHIVER_FAILING,
                labels,
                flag(known.map(facts -> facts.wal().archiverFailing()).orElse(false)));
        OptionalLong free = known.map(facts -> facts.wal().diskFree()).orElse(OptionalLong.empty());
        add(Metric.DISK_KNOWN, labels, flag(free.isPresent()));
        add(Metric.DISK_FREE_BYTES, labels, free.orElse(0));
        add(Metric.DISK_FULL_ETA_SECONDS, labels, status.diskFullSeconds().orElse(INFINITE));
        add(Metric.OLDEST_WRITER_AGE_SECONDS, labels, oldest(known, writer -> !writer.prepared()));
        add(Metric.OLDEST_PREPARED_AGE_SECONDS, labels, oldest(known, OpenWriter::prepared));
        add(Metric.PREFLIGHT_FINDINGS, labels, status.preflight().size());
    }

    private void cluster(ClusterStatus status) {
        add(
                Metric.CONNECT_UP,
                List.of(status.name()),
                flag(status.reading().value().isPresent()));
        for (String name : status.watched()) {
            List<String> labels = List.of(status.name(), name);
            Optional<ConnectorFacts> connector = status.reading().value().map(all -> all.get(name));
            add(
                    Metric.CONNECTOR_RUNNING,
                    labels,
                    flag(connector.map(found -> found.state().equals("RUNNING")).orElse(false)));
            add(
                    Metric.CONNECTOR_FAILED_TASKS,
                    labels,
                    connector.map(found -> found.failedTasks().size()).orElse(0));
            add(
                    Metric.CONNECTOR_RUNNING_TASKS,
                    labels,
                    connector
                            .map(found -> found.tasks().stream()
                                    .filter(task -> task.state().equals("RUNNING"))
                                    .count())
                            .orElse(0L));
            String key = status.name() + "/" + name;
            add(Metric.CONNECTOR_RESTARTS, labels, extras.actions().restarts().getOrDefault(key, 0L));
            add(
                    Metric.CONNECTOR_RESTARTS_RECENTLY,
                    labels,
                    extras.actions().restartsRecently().getOrDefault(key, 0L));
        }
    }

    private void monitor() {
        extras.upkeep().forEach((database, counts) -> {
            add(Metric.UPKEEP_ROUNDS, List.of(database, "done"), counts.done());
            add(Metric.UPKEEP_ROUNDS, List.of(database, "failed"), counts.failed());
            add(Metric.UPKEEP_FAILING, List.of(database), flag(counts.failure().isPresent()));
        });
        extras.actions()
                .actions()
                .forEach((outcome, count) -> add(Metric.ACTIONS, List.of(outcome.action(), outcome.result()), count));
        add(Metric.SAMPLES, List.of(), extras.samples());
        add(Metric.LAST_SAMPLE_TIMESTAMP_SECONDS, List.of(), snapshot.time().toEpochMilli() / MILLIS);
        add(Metric.SAMPLE_DURATION_SECONDS, List.of(), snapshot.duration().toMillis() / MILLIS);
    }

    /** A task that says it runs, or should run, while the slot has no reader: it is dead, or does not get in. */
    private static boolean readerMissing(SlotStatus status) {
        Optional<ConnectorFacts> connector = status.observation().connectorFacts();
        Optional<SlotFacts> slot = status.observation().slot();
        if (connector.isEmpty() || !connector.get().state().equals("RUNNING")) {
            return false;
        }
        boolean noTaskRuns =
                !connector.get().saysRunning() && connector.get().failedTasks().isEmpty();
        return noTaskRuns
                || (slot.map(found -> !found.active()).orElse(false)
                        && connector.get().saysRunning());
    }

    private static double standstill(SlotStatus status) {
        return status.measures().unconfirmedBytes() == 0
                ? 0
                : Math.max(0, status.observation().standstill().toMillis() / MILLIS);
    }

    private static double oldest(Optional<ServerFacts> server, Predicate<OpenWriter> which) {
        return server.stream()
                .flatMap(facts -> facts.writers().stream())
                .filter(which)
                .mapToDouble(OpenWriter::seconds)
                .max()
                .orElse(0);
    }

    private static double ratio(long retained, Optional<ServerFacts> server) {
        OptionalLong total = server.map(facts -> facts.wal().diskTotal()).orElse(OptionalLong.empty());
        return total.isEmpty() || total.getAsLong() == 0 ? 0 : (double) retained / total.getAsLong();
    }

    private static double safe(Optional<SlotFacts> facts) {
        OptionalLong safe = facts.map(SlotFacts::safeWalSize).orElse(OptionalLong.empty());
        return safe.isPresent() ? (double) safe.getAsLong() : INFINITE;
    }

    private static Optional<Walsender> walsender(Optional<SlotFacts> facts) {
        return facts.flatMap(SlotFacts::walsender);
    }

    private static double flag(boolean on) {
        return on ? 1 : 0;
    }

    private void add(Metric metric, List<String> labels, double value) {
        all.add(new Measurement(metric, labels, value));
    }

    private void add(Metric metric, List<String> labels, long value) {
        add(metric, labels, (double) value);
    }
}
