package io.outboxcdc.stack;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Signals that Java cannot send by itself. */
final class Signals {

    private static final Duration POLL = Duration.ofMillis(5);
    private static final Duration STOP_BOUND = Duration.ofSeconds(5);

    private Signals() {}

    /** Sends SIGSTOP, and returns when none of the processes runs any more. */
    static void freeze(Collection<Long> pids) {
        send("STOP", pids);
        RetryPolicy<Boolean> untilStopped = RetryPolicy.<Boolean>builder()
                .handleResult(false)
                .withDelay(POLL)
                .withMaxRetries(-1)
                .withMaxDuration(STOP_BOUND)
                .build();
        Failsafe.with(untilStopped).get(() -> pids.stream().allMatch(Signals::isStopped));
    }

    private static boolean isStopped(long pid) {
        // A child that has just ended stays a zombie while its parent is stopped.
        return ProcessState.of(pid)
                .map(state -> state == ProcessState.STOPPED || state == ProcessState.ZOMBIE)
                .orElse(true);
    }

    /** Sends {@code signal}, such as {@code STOP}, and returns when it has been sent. Processes that are gone are left out. */
    static void send(String signal, Collection<Long> pids) {
        if (pids.isEmpty()) {
            return;
        }
        // The shell's own kill: a minimal container has no /bin/kill.
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", "for pid; do kill -s \"$0\" \"$pid\"; done; exit 0", signal));
        pids.forEach(pid -> command.add(pid.toString()));
        try {
            Process shell = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            shell.onExit().join();
        } catch (IOException e) {
            throw new StackException("SIG" + signal + " could not be sent: " + e.getMessage(), e);
        }
    }
}
