package io.outboxcdc.it;

import io.outboxcdc.stack.StackOptions;
import io.outboxcdc.stack.StartupProgress;

import java.nio.file.Path;
import java.time.Duration;

/** Where the built project is, as the build tells it. */
final class TestHome {

    private TestHome() {}

    static Path path() {
        return Path.of(System.getProperty("outbox.home")).toAbsolutePath().normalize();
    }

    static String projectVersion() {
        return System.getProperty("outbox.version");
    }

    static StackOptions options() {
        return StackOptions.of(path());
    }

    static StartupProgress silent() {
        return new StartupProgress() {
            @Override
            public void starting(String part) {}

            @Override
            public void ready(String part, Duration took) {}
        };
    }
}
