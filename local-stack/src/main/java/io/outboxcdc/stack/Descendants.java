package io.outboxcdc.stack;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The processes beneath a process, such as PostgreSQL's backends, at one moment. */
record Descendants(List<ProcessHandle> handles) {

    private static final Duration POLL = Duration.ofMillis(10);

    static Descendants of(Process process) {
        return new Descendants(process.descendants().toList());
    }

    List<Long> pids() {
        return handles.stream().map(ProcessHandle::pid).toList();
    }

    /** Sends SIGKILL to each. */
    void kill() {
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
        if (!handle.isAlive()) {
            return true;
        }
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(handle.pid()), "stat"));
            return stat.substring(stat.lastIndexOf(')') + 1).strip().startsWith("Z");
        } catch (IOException e) {
            return !handle.isAlive();
        }
    }
}
