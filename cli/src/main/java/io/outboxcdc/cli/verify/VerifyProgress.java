package io.outboxcdc.cli.verify;

import java.io.PrintWriter;
import java.util.Locale;

/** A line every few seconds, so that nobody waits before a silent screen; a short run shows none. */
public final class VerifyProgress {

    private static final long EVERY_NANOS = 2_000_000_000L;

    private final PrintWriter err;
    private long shownAt = System.nanoTime();

    /** Shows on this stream. */
    public VerifyProgress(PrintWriter err) {
        this.err = err;
    }

    void say(String what) {
        if (System.nanoTime() - shownAt >= EVERY_NANOS) {
            shownAt = System.nanoTime();
            err.println("  " + what);
            err.flush();
        }
    }

    void count(String what, long done) {
        // Asking for the time would cost more than reading a row.
        if (done % 1_000 == 0) {
            say(String.format(Locale.ROOT, "%,d %s", done, what));
        }
    }
}
