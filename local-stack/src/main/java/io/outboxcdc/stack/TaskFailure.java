package io.outboxcdc.stack;

import java.util.ArrayList;
import java.util.List;

/** Turns the stack trace of a failed connector or task into what a person looks for: its root cause. */
final class TaskFailure {

    private static final String CAUSE = "Caused by: ";

    private TaskFailure() {}

    static boolean isIn(ConnectorStatus status) {
        return isFailed(status.state()) || status.tasks().stream().anyMatch(task -> isFailed(task.state()));
    }

    static void throwIfFailed(ConnectorStatus status) {
        List<String> messages = new ArrayList<>();
        if (isFailed(status.state())) {
            messages.add(message("Connector " + status.name(), status.trace()));
        }
        for (ConnectorStatus.Task task : status.tasks()) {
            if (isFailed(task.state())) {
                messages.add(message("Task %d of connector %s".formatted(task.id(), status.name()), task.trace()));
            }
        }
        if (!messages.isEmpty()) {
            throw new StackException(String.join(System.lineSeparator(), messages));
        }
    }

    static String states(ConnectorStatus status) {
        List<String> states = new ArrayList<>(List.of("connector " + status.state()));
        status.tasks().forEach(task -> states.add("task %d %s".formatted(task.id(), task.state())));
        return String.join(", ", states) + (status.tasks().isEmpty() ? ", no task" : "");
    }

    /** The last cause that a stack trace names, without the frames around it. */
    static String rootCause(String trace) {
        String first = trace.lines().findFirst().orElse("no stack trace was given");
        return trace.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(CAUSE))
                .map(line -> line.substring(CAUSE.length()))
                .reduce((earlier, later) -> later)
                .orElse(first);
    }

    private static boolean isFailed(String state) {
        return state.equals("FAILED");
    }

    private static String message(String who, String trace) {
        return "%s failed: %s%n%s"
                .formatted(who, rootCause(trace), trace.strip().indent(2));
    }
}
