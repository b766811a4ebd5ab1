package io.outboxcdc.stack;

import java.time.Duration;

/** Hears how the start goes. Parts start side by side; calls come one at a time, but from several threads. */
public interface StartupProgress {

    /** For callers that do not want to know. */
    StartupProgress SILENT = new StartupProgress() {
        @Override
        public void starting(String part) {}

        @Override
        public void ready(String part, Duration took) {}
    };

    /** A part, such as {@code Kafka}, is being started. */
    void starting(String part);

    /** The part answers. */
    void ready(String part, Duration took);
}
