package io.outboxcdc.monitor.core;

import io.outboxcdc.monitor.core.ExpectedSlot.ConnectorRef;

import java.util.Optional;
import java.util.stream.Collectors;

/** What the connector has to do with it, in words. */
final class ConnectorWords {

    private ConnectorWords() {}

    /** Why nobody reads the slot. */
    static String whyInactive(Observation sample) {
        if (sample.connector().isEmpty()) {
            return "nobody reads the slot";
        }
        String name = name(sample);
        Reading<Optional<ConnectorFacts>> reading = sample.connector().get();
        if (reading.reason().isPresent()) {
            return "nobody reads the slot, and Kafka Connect cannot be asked: "
                    + reading.reason().get();
        }
        Optional<ConnectorFacts> found = sample.connectorFacts();
        if (found.isEmpty()) {
            return "nobody reads the slot: there is no connector " + name;
        }
        return "nobody reads the slot: " + why(name, found.get());
    }

    private static String why(String name, ConnectorFacts connector) {
        if (connector.state().equals("STOPPED") || connector.state().equals("PAUSED")) {
            return "connector " + name + " is " + connector.state();
        }
        if (!connector.failedTasks().isEmpty()) {
            return connector.failedTasks().stream()
                    .map(task -> "task " + task.id() + " of connector " + name + " has FAILED"
                            + task.failure()
                                    .map(failure -> ": " + failure.cause())
                                    .orElse(""))
                    .collect(Collectors.joining("; "));
        }
        if (connector.state().equals("FAILED")) {
            return "connector " + name + " has FAILED";
        }
        if (connector.saysRunning()) {
            return "connector " + name + " says RUNNING, but its task has no connection: it is dead or does not start";
        }
        return "connector " + name + " is " + connector.state() + " and has "
                + (connector.tasks().isEmpty()
                        ? "no task"
                        : "no running task ("
                                + connector.tasks().stream()
                                        .map(task -> "task " + task.id() + " " + task.state())
                                        .collect(Collectors.joining(", "))
                                + ")");
    }

    /** Why a reader that answers confirms nothing. */
    static String whyNothingIsConfirmed(Observation sample) {
        Optional<ConnectorFacts> connector = sample.connectorFacts();
        if (connector.isPresent() && connector.get().offset().reason().isPresent()) {
            return "Kafka Connect does not give the stored offset ("
                    + connector.get().offset().reason().get() + "), so look at Kafka first";
        }
        if (connector.isPresent() && !connector.get().config().containsKey("heartbeat.action.query")) {
            return "the connector has no heartbeat.action.query, and without one a quiet outbox confirms nothing";
        }
        if (sample.connector().map(reading -> reading.reason().isPresent()).orElse(false)) {
            return "Kafka Connect cannot be asked: "
                    + sample.connector().get().reason().orElse("");
        }
        return "what it was sent has not got into Kafka";
    }

    static String name(Observation sample) {
        return sample.expected().connector().map(ConnectorRef::toString).orElse("(none)");
    }
}
