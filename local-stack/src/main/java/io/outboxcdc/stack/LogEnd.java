package io.outboxcdc.stack;

import org.apache.commons.io.input.ReversedLinesFileReader;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The last lines of a log, oldest first. */
record LogEnd(List<String> lines) {

    private static final int READ = 200;
    private static final int SHOWN = 25;
    private static final Charset CHARSET = StandardCharsets.UTF_8;

    /** Reads the end of a file; none when it cannot be read. */
    static LogEnd of(Path log) {
        try (ReversedLinesFileReader reader = ReversedLinesFileReader.builder()
                .setPath(log)
                .setCharset(CHARSET)
                .get()) {
            List<String> newestFirst = reader.readLines(READ);
            Collections.reverse(newestFirst);
            return new LogEnd(newestFirst);
        } catch (IOException e) {
            return new LogEnd(List.of());
        }
    }

    /** Whether the part gave up since somebody else listens on its port, in the words of the JDK or of PostgreSQL. */
    boolean showsTakenPort() {
        return lines.stream()
                .map(line -> line.toLowerCase(Locale.ROOT))
                .anyMatch(line -> line.contains("address already in use"));
    }

    /** The last lines, indented, without the frames of stack traces. */
    String text() {
        List<String> telling =
                lines.stream().filter(line -> !line.startsWith("\tat ")).toList();
        List<String> shown = telling.subList(Math.max(0, telling.size() - SHOWN), telling.size());
        return shown.isEmpty() ? "  (empty)" : "  " + String.join(System.lineSeparator() + "  ", shown);
    }
}
