package io.outboxcdc.cli;

import io.outboxcdc.stack.StartupProgress;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Shows on the error stream what is being started, so that nobody waits before a silent screen. */
final class ConsoleProgress implements StartupProgress {

    private final PrintWriter err;

    ConsoleProgress(PrintWriter err) {
        this.err = err;
    }

    @Override
    public synchronized void starting(String part) {
        err.printf(Locale.ROOT, "  starting  %s%n", part);
        err.flush();
    }

    @Override
    public synchronized void ready(String part, Duration took) {
        err.printf(Locale.ROOT, "  ready     %s (%.1f s)%n", part, took.toMillis() / 1000.0);
        err.flush();
    }
}
