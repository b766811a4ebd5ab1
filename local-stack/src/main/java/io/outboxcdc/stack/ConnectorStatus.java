package io.outboxcdc.stack;

import java.util.List;

/**
 * What Connect says of a connector. It says {@code RUNNING} for a while after a task, or the whole worker, has died.
 *
 * @param state such as {@code RUNNING} or {@code FAILED}
 * @param trace the stack trace of a failure, else empty
 */
public record ConnectorStatus(String name, String state, String worker, String trace, List<Task> tasks) {

    /** Copies the tasks. */
    public ConnectorStatus {
        tasks = List.copyOf(tasks);
    }

    /** One task of the connector; fields as those of the connector itself. */
    public record Task(int id, String state, String worker, String trace) {}

    /** Whether the connector and each of its tasks, of which there is one at least, are {@code RUNNING}. */
    public boolean isRunning() {
        return state.equals("RUNNING")
                && !tasks.isEmpty()
                && tasks.stream().allMatch(task -> task.state().equals("RUNNING"));
    }

    /**
     * A failed task stays failed: whoever waits for what it should bring need not wait any longer.
     *
     * @throws StackException when the connector or a task has failed; the message has each root cause and trace
     */
    public void throwIfFailed() {
        TaskFailure.throwIfFailed(this);
    }
}
