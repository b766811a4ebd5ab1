package io.outboxcdc.it;

import io.outboxcdc.stack.StackOptions;

import java.nio.file.Path;

/** Where the built project is, as the build tells it. */
public final class TestHome {

    private TestHome() {}

    public static Path path() {
        return Path.of(System.getProperty("outbox.home")).toAbsolutePath().normalize();
    }

    public static String projectVersion() {
        return System.getProperty("outbox.version");
    }

    public static StackOptions options() {
        return StackOptions.of(path());
    }
}
