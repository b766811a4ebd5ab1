package io.outboxcdc.it.sql;

import io.zonky.test.db.postgres.embedded.PgBinaryResolver;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The versions that the scripts are for. Their binaries are copied by the build, one folder each. */
enum PostgresVersion implements PgBinaryResolver {
    PG14(14),
    PG15(15),
    PG16(16),
    PG17(17),
    PG18(18);

    private final int major;

    PostgresVersion(int major) {
        this.major = major;
    }

    boolean isAtLeast(int other) {
        return major >= other;
    }

    /** The only archive of the version's jar; it is for this platform, which the build has chosen. */
    @Override
    public InputStream getPgBinary(String system, String machineHardware) throws IOException {
        Path folder = Path.of(System.getProperty("postgres.binaries"), Integer.toString(major));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar");
                JarFile jar = new JarFile(jars.iterator().next().toFile())) {
            JarEntry archive = jar.stream()
                    .filter(entry -> entry.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("No PostgreSQL archive in " + jar.getName()));
            try (InputStream content = jar.getInputStream(archive)) {
                return new ByteArrayInputStream(content.readAllBytes());
            }
        }
    }
}
