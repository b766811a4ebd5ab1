package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.OutboxSql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Some of the scripts, as somebody applies them one by one. */
final class ScriptFolder {
    private ScriptFolder() {}

    static OutboxSql only(Path emptyFolder, String... scripts) throws IOException {
        for (String script : scripts) {
            Files.copy(TestDatabase.SCRIPTS.resolve(script), emptyFolder.resolve(script));
        }
        return OutboxSql.inFolder(emptyFolder);
    }
}
