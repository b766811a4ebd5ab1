package io.outboxcdc.stack;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;

import java.time.Duration;
import java.util.List;

/** The processes beneath a process, such as PostgreSQL's backends, at one moment. */
record Descendants(List<ProcessHandle> handles) {

    private static final Duration POLL = Duration.ofMillis(10);

    static Descendants of(Process process) {
        return new Descendants(process.descendants().toList());
    }

    /** SIGKILL to a process of ours and all beneath it; answers whether all are gone by then. */
    static boolean killWith(Process process, Duration atMost) {
        // Stopped, it starts no child between the look at its children and its end.
        Signals.freeze(List.of(process.pid()));
        Descendants children = of(process);
        process.destroyForcibly();
        children.kill();
        process.onExit().join();
        return children.awaitEnd(atMost);
    }

    List<Long> pids() {
        return handles.stream().map(ProcessHandle::pid).toList();
    }

    private void kill() {
        handles.forEach(ProcessHandle::destroyForcibly);
    }

    /**
     * Waits until all are gone; answers whether they are. {@link ProcessHandle#onExit()} would look at processes that
     * are not our own children only every few seconds.
     */
    boolean awaitEnd(Duration atMost) {
        RetryPolicy<Boolean> untilGone = RetryPolicy.<Boolean>builder()
                .handleResult(false)
                .withDelay(POLL)
                .withMaxRetries(-1)
                .withMaxDuration(atMost)
                .build();
        return Failsafe.with(untilGone).get(() -> handles.stream().allMatch(Descendants::isGone));
    }

    /** In a container whose first process does not care for orphans, a killed one stays as a zombie for good. */
    private static boolean isGone(ProcessHandle handle) {
        return !handle.isAlive()
                || ProcessState.of(handle.pid())
                        .filter(state -> state == ProcessState.ZOMBIE)
                        .isPresent();
    }
}
