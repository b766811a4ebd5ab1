package io.outboxcdc.it;

import io.outboxcdc.stack.StackOptions;

import java.nio.file.Path;

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
}
