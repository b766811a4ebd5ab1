package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.OutboxSql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The scripts by their names, and some of them, as somebody applies them one by one. */
final class ScriptFolder {
    private ScriptFolder() {}

    /** All that are shipped, in the order of their numbers. */
    static List<String> all() {
        try (Stream<Path> files = Files.list(TestDatabase.SCRIPTS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".sql"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static OutboxSql only(Path emptyFolder, String... scripts) throws IOException {
        for (String script : scripts) {
            Files.copy(TestDatabase.SCRIPTS.resolve(script), emptyFolder.resolve(script));
        }
        return OutboxSql.inFolder(emptyFolder);
    }
}
