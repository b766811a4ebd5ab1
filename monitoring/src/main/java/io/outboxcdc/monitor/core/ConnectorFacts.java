package io.outboxcdc.monitor.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One connector as its Connect cluster shows it.
 *
 * @param state RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED or RESTARTING
 * @param config the connector's settings; never shown, since secrets may be in them
 * @param offset the position that Connect has stored; empty when it has none
 */
public record ConnectorFacts(
        String name,
        String state,
        List<Task> tasks,
        Map<String, String> config,
        Reading<Optional<StoredOffset>> offset) {

    /**
     * One of its tasks.
     *
     * @param failure why it failed, when it did
     */
    public record Task(int id, String state, Optional<TaskFailure> failure) {}

    /** Whether the connector and at least one task say that they run. */
    public boolean saysRunning() {
        return state.equals("RUNNING")
                && tasks.stream().anyMatch(task -> task.state().equals("RUNNING"));
    }

    /** The tasks that failed. */
    public List<Task> failedTasks() {
        return tasks.stream().filter(task -> task.state().equals("FAILED")).toList();
    }

    /** Why the first of them failed; empty when none did, or none says why. */
    public Optional<TaskFailure> firstFailure() {
        return failedTasks().stream().flatMap(task -> task.failure().stream()).findFirst();
    }

    @Override
    public String toString() {
        return "connector " + name + " " + state + " " + tasks;
    }
}
