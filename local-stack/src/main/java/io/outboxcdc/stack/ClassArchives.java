package io.outboxcdc.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * Archives of the classes that broker and worker load, read and verified beforehand: they spare a third of the
 * processor time of a start. The JVM ignores an archive that does not fit its class path, so these are a help only.
 *
 * @param folder one for each Java version, since a JVM reads its own archives only
 * @see <a href="https://openjdk.org/jeps/350">JEP 350, dynamic CDS archives</a>
 */
record ClassArchives(Path folder) {

    private static final List<String> PARTS = List.of(KafkaBroker.ARCHIVE, ConnectWorker.ARCHIVE);

    static ClassArchives of(RuntimeFolder runtime) {
        return new ClassArchives(
                runtime.classArchives().resolve(Runtime.version().toString()));
    }

    /** What makes a JVM use the archive of a part, if there is one. */
    List<String> flagsToUse(String part) {
        Path file = file(part);
        return Files.exists(file)
                ? List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
                : List.of();
    }

    /** What makes a JVM write the archive of a part at its orderly end. */
    List<String> flagsToRecord(String part) {
        return List.of("-XX:ArchiveClassesAtExit=" + file(part), "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    }

    /** Whether there is one for each part, and none is older than a jar of the class path. */
    boolean areUpToDate(List<Path> jars) throws IOException {
        FileTime newestJar = FileTime.fromMillis(0);
        for (Path jar : jars) {
            FileTime modified = Files.getLastModifiedTime(jar);
            newestJar = modified.compareTo(newestJar) > 0 ? modified : newestJar;
        }
        for (String part : PARTS) {
            if (Files.notExists(file(part))
                    || Files.getLastModifiedTime(file(part)).compareTo(newestJar) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Removes what there is, so that it can be recorded anew. */
    void clear() throws IOException {
        Files.createDirectories(folder);
        for (String part : PARTS) {
            Files.deleteIfExists(file(part));
        }
    }

    boolean areComplete() {
        return Stream.of(PARTS).flatMap(List::stream).map(this::file).allMatch(Files::exists);
    }

    private Path file(String part) {
        return folder.resolve(part + ".jsa");
    }
}
