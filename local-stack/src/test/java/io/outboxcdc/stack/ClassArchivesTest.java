package io.outboxcdc.stack;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class ClassArchivesTest {

    @TempDir
    private Path folder;

    private ClassArchives archives;
    private Path jar;

    @BeforeEach
    void oneJarAndNoArchive() throws IOException {
        archives = new ClassArchives(folder.resolve("archives"));
        jar = Files.createFile(folder.resolve("a.jar"));
        archives.clear();
    }

    @Test
    void areRecordedAgainWhenAJarIsNewer() throws IOException {
        assertThat(archives.areUpToDate(List.of(jar))).isFalse();
        Files.createFile(folder.resolve("archives/kafka.jsa"));
        assertThat(archives.areUpToDate(List.of(jar))).isFalse();
        Files.createFile(folder.resolve("archives/connect.jsa"));
        assertThat(archives.areUpToDate(List.of(jar))).isTrue();
        assertThat(archives.areComplete()).isTrue();

        Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 60_000));

        assertThat(archives.areUpToDate(List.of(jar))).isFalse();
    }

    @Test
    void areUsedOnlyWhereThereAreSome() throws IOException {
        assertThat(archives.flagsToUse("kafka")).isEmpty();

        Path file = Files.createFile(folder.resolve("archives/kafka.jsa"));

        assertThat(archives.flagsToUse("kafka")).contains("-XX:SharedArchiveFile=" + file);
    }
}
