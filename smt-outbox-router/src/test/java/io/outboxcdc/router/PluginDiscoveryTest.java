package io.outboxcdc.router;

import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.transforms.Transformation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker with plugin.discovery=service_load finds only what a service file names. */
class PluginDiscoveryTest {

    @ParameterizedTest
    @ValueSource(classes = {Transformation.class, Converter.class})
    void everyPluginClassIsNamedInItsServiceFile(Class<?> kind) throws Exception {
        Set<String> named = ServiceLoader.load(kind).stream()
                .map(provider -> provider.type().getName())
                .filter(name -> name.startsWith("io.outboxcdc."))
                .collect(Collectors.toSet());

        assertThat(named).isNotEmpty().isEqualTo(compiled(kind));
    }

    private static Set<String> compiled(Class<?> kind) throws IOException, URISyntaxException {
        Path classes = Path.of(OutboxRouter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> isA(kind, name))
                    .collect(Collectors.toSet());
        }
    }

    private static boolean isA(Class<?> kind, String name) {
        try {
            return kind.isAssignableFrom(Class.forName(name, false, kind.getClassLoader()));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name, e);
        }
    }
}
