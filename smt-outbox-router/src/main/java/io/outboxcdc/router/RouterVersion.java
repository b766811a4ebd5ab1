package io.outboxcdc.router;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that the build has written into the jar. */
final class RouterVersion {

    static final String VALUE = read();

    private RouterVersion() {}

    private static String read() {
        Properties properties = new Properties();
        try (InputStream file = RouterVersion.class.getResourceAsStream("router.properties")) {
            if (file != null) {
                properties.load(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read router.properties beside " + RouterVersion.class.getName(), e);
        }
        String version = properties.getProperty("version", "");
        if (version.isBlank() || version.startsWith("$")) {
            throw new IllegalStateException("The jar of " + RouterVersion.class.getName()
                    + " holds no router.properties with a version; build it with Maven.");
        }
        return version;
    }
}
