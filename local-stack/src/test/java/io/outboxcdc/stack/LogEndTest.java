package io.outboxcdc.stack;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class LogEndTest {

    @TempDir
    private Path folder;

    @Test
    void showsTheLastLinesWithoutStackFrames() throws IOException {
        String many = IntStream.range(0, 1_000).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));

        LogEnd end = LogEnd.of(log(many + "\n\tat a.B.c(B.java:1)\nlast ä\n"));

        assertThat(end.text().lines()).hasSize(25).last().isEqualTo("  last ä");
        assertThat(end.text()).contains("line 999").doesNotContain("line 900").doesNotContain("a.B.c");
    }

    @Test
    void knowsATakenPortInTheWordsOfJavaAndOfPostgres() throws IOException {
        assertThat(LogEnd.of(log("java.net.BindException: Address already in use"))
                        .showsTakenPort())
                .isTrue();
        assertThat(LogEnd.of(log("LOG:  could not bind IPv4 address \"127.0.0.1\": Address already in use"))
                        .showsTakenPort())
                .isTrue();
        assertThat(LogEnd.of(log("OutOfMemoryError")).showsTakenPort()).isFalse();
    }

    @Test
    void aLogThatIsNotThereIsEmpty() {
        assertThat(LogEnd.of(folder.resolve("nothing.log")).text()).isEqualTo("  (empty)");
    }

    private Path log(String text) throws IOException {
        return Files.writeString(folder.resolve("part.log"), text);
    }
}
