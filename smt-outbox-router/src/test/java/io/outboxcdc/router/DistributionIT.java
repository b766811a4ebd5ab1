package io.outboxcdc.router;

import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.ArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import static org.assertj.core.api.Assertions.assertThat;

/** The jar and the two archives that users unpack into a plugin path. */
class DistributionIT {

    private static final Path TARGET = Path.of("target");
    private static final String FOLDER = "debezium-connector-postgres/";

    @Test
    void theJarHoldsOurClassesOnly() throws IOException {
        Map<String, byte[]> jar = read(zip(file("smt-outbox-router-*.jar")));

        assertThat(jar.keySet().stream().filter(name -> name.endsWith(".class")))
                .isNotEmpty()
                .allMatch(name -> name.startsWith("io/outboxcdc/router/"));
        assertThat(text(jar, "META-INF/services/org.apache.kafka.connect.transforms.Transformation"))
                .isEqualTo("io.outboxcdc.router.OutboxRouter");
        assertThat(text(jar, "META-INF/services/org.apache.kafka.connect.storage.Converter"))
                .isEqualTo("io.outboxcdc.router.OutboxConverter");
        assertThat(text(jar, "io/outboxcdc/router/router.properties")).isEqualTo("version=" + RouterVersion.VALUE);
    }

    @Test
    void bothArchivesHoldTheConnectorsFolderWithOurJarInIt() throws IOException {
        byte[] jar = Files.readAllBytes(file("smt-outbox-router-*.jar"));

        assertThatConnectorHolds(jar, read(zip(file("smt-outbox-router-*-plugin.zip"))));
        assertThatConnectorHolds(jar, read(tar(file("smt-outbox-router-*-plugin.tar.gz"))));
    }

    private static void assertThatConnectorHolds(byte[] jar, Map<String, byte[]> archive) {
        assertThat(archive.keySet()).allMatch(name -> name.startsWith(FOLDER));
        assertThat(archive.keySet()).anyMatch(name -> name.matches(FOLDER + "debezium-connector-postgres-.*\\.jar"));
        assertThat(archive.keySet()).anyMatch(name -> name.matches(FOLDER + "debezium-connect-plugins-.*\\.jar"));
        assertThat(archive.entrySet().stream()
                        .filter(entry -> entry.getKey().matches(FOLDER + "smt-outbox-router-.*\\.jar"))
                        .map(Map.Entry::getValue))
                .containsExactly(jar);
    }

    private static Path file(String pattern) throws IOException {
        try (Stream<Path> files = Files.list(TARGET)) {
            return files.filter(path -> TARGET.getFileSystem()
                            .getPathMatcher("glob:" + pattern)
                            .matches(path.getFileName()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("No " + pattern + " in " + TARGET.toAbsolutePath()));
        }
    }

    private static ArchiveInputStream<?> zip(Path file) throws IOException {
        return new ZipArchiveInputStream(Files.newInputStream(file));
    }

    private static ArchiveInputStream<?> tar(Path file) throws IOException {
        return new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(file)));
    }

    private static Map<String, byte[]> read(ArchiveInputStream<?> archive) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        try (archive) {
            for (ArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                if (!entry.isDirectory()) {
                    files.put(entry.getName(), archive.readAllBytes());
                }
            }
        }
        return files;
    }

    private static String text(Map<String, byte[]> files, String name) {
        byte[] content = files.get(name);
        return new String(Objects.requireNonNull(content, name), StandardCharsets.UTF_8).strip();
    }
}
