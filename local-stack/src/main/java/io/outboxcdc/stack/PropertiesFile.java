package io.outboxcdc.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Reads and writes the configuration files of Kafka and Connect, in the encoding that they read: ISO 8859-1 and escapes. */
final class PropertiesFile {

    private PropertiesFile() {}

    static Properties read(Path file) {
        Properties properties = new Properties();
        try (InputStream input = Files.newInputStream(file)) {
            properties.load(input);
        } catch (IOException | IllegalArgumentException e) {
            throw new StackException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
        return properties;
    }

    static void write(Path file, Properties properties) {
        try {
            Files.createDirectories(file.getParent());
            try (OutputStream output = Files.newOutputStream(file)) {
                properties.store(output, null);
            }
        } catch (IOException e) {
            throw new StackException("%s cannot be written: %s".formatted(file, e.getMessage()), e);
        }
    }
}
