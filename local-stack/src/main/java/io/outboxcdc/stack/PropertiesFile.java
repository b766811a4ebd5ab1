package io.outboxcdc.stack;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Reads and writes the configuration files of Kafka and Connect. */
final class PropertiesFile {

    private PropertiesFile() {}

    static Properties read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new StackException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
        return properties;
    }

    static void write(Path file, Properties properties) {
        try {
            Files.createDirectories(file.getParent());
            try (Writer writer = Files.newBufferedWriter(file)) {
                properties.store(writer, null);
            }
        } catch (IOException e) {
            throw new StackException("%s cannot be written: %s".formatted(file, e.getMessage()), e);
        }
    }
}
