package io.outboxcdc.monitor;

import io.outboxcdc.monitor.core.Failover;
import io.outboxcdc.monitor.core.Forecast;
import io.outboxcdc.monitor.core.OutboxFacts;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.core.ServerFacts.Holder;
import io.outboxcdc.monitor.core.StateFinding;
import io.outboxcdc.monitor.core.TaskFailure;
import io.outboxcdc.monitor.core.Words;
import io.outboxcdc.monitor.metric.UpkeepCounts;
import io.outboxcdc.monitor.sample.SlotStatus;
import io.outboxcdc.monitor.sample.Snapshot;
import io.outboxcdc.monitor.sample.Snapshot.ClusterStatus;
import io.outboxcdc.monitor.sample.Snapshot.DatabaseStatus;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What an alert says beside its rule: what was found, and what to do. Secrets of the configuration are taken out. */
final class AlertDetails {

    private static final int HOLDERS = 3;

    private final Set<String> secrets;

    AlertDetails(Set<String> secrets) {
        this.secrets = secrets;
    }

    String of(Snapshot snapshot, Map<String, UpkeepCounts> upkeep, Map<String, String> labels) {
        String text = labels.containsKey("slot")
                ? snapshot.slots().stream()
                        .filter(slot -> slot.expected().database().equals(labels.get("database"))
                                && slot.expected().slot().equals(labels.get("slot")))
                        .map(slot -> slot(slot, snapshot.lastKnown(slot.expected())))
                        .collect(Collectors.joining())
                : labels.containsKey("database")
                        ? snapshot.databases().stream()
                                .filter(database -> database.name().equals(labels.get("database")))
                                .map(database -> database(database, upkeep.get(database.name())))
                                .collect(Collectors.joining())
                        : snapshot.clusters().stream()
                                .filter(cluster -> cluster.name().equals(labels.get("cluster")))
                                .map(cluster -> cluster(cluster, labels.getOrDefault("connector", "")))
                                .collect(Collectors.joining());
        for (String secret : secrets) {
            text = text.replace(secret, "***");
        }
        return text;
    }

    private static String slot(SlotStatus slot, Optional<ServerFacts> server) {
        StateFinding finding = slot.finding();
        List<String> sentences = new ArrayList<>();
        sentences.add(finding.state() + ", " + finding.cause() + ".");
        sentences.add("It holds " + Words.bytes(slot.measures().retainedBytes()) + " of WAL.");
        slot.measures().forecast().first().map(AlertDetails::forecast).ifPresent(sentences::add);
        server.map(facts -> facts.outboxes().get(slot.expected().slot()))
                .flatMap(AlertDetails::partitions)
                .ifPresent(sentences::add);
        List<String> failover = server.map(facts ->
                        Failover.problems(slot.expected(), slot.measures().facts(), facts))
                .orElse(List.of());
        if (!failover.isEmpty()) {
            sentences.add("It would not survive a failover: " + String.join("; ", failover) + ".");
        }
        if (!finding.next().isEmpty()) {
            sentences.add(finding.next());
        }
        return String.join(" ", sentences);
    }

    private static Optional<String> partitions(OutboxFacts outbox) {
        return outbox.aheadRatio().orElse(1) >= 1
                ? Optional.empty()
                : Optional.of("The outbox has partitions for the next "
                        + Words.duration(outbox.aheadSeconds().orElse(0)) + "; after that no event can be written.");
    }

    private static String forecast(Forecast.Event event) {
        return "If it goes on like this, " + event.what() + " in " + Words.duration(event.seconds()) + ".";
    }

    private static String database(DatabaseStatus database, @Nullable UpkeepCounts upkeep) {
        List<String> sentences = new ArrayList<>();
        database.reading().reason().ifPresent(reason -> sentences.add("It cannot be read: " + reason + "."));
        database.diskFullSeconds()
                .ifPresent(seconds -> sentences.add(
                        "If it goes on like this, the disk of the WAL is full in " + Words.duration(seconds) + "."));
        database.lastKnown().ifPresent(facts -> {
            String holders = facts.holders().stream()
                    .filter(holder -> holder.retainedBytes() > 0)
                    .limit(HOLDERS)
                    .map(AlertDetails::holder)
                    .collect(Collectors.joining(", "));
            if (!holders.isEmpty()) {
                sentences.add("WAL is held by " + holders + ".");
            }
        });
        Optional.ofNullable(upkeep)
                .flatMap(UpkeepCounts::failure)
                .ifPresent(why -> sentences.add("The last round of upkeep failed: " + why + "."));
        if (!database.preflight().isEmpty()) {
            sentences.add(String.join("; ", database.preflight()) + ".");
        }
        return String.join(" ", sentences);
    }

    private static String holder(Holder holder) {
        return holder.kind() + " slot " + holder.name() + " (" + Words.bytes(holder.retainedBytes())
                + (holder.active() ? "" : ", inactive") + ")";
    }

    private static String cluster(ClusterStatus cluster, String connector) {
        if (cluster.reading().reason().isPresent()) {
            return cluster.reading().reason().get() + ".";
        }
        return cluster.reading().value().stream()
                .flatMap(all -> all.values().stream())
                .filter(found -> found.name().equals(connector))
                .flatMap(found -> found.firstFailure().stream())
                .map(TaskFailure::cause)
                .findFirst()
                .orElse("");
    }
}
