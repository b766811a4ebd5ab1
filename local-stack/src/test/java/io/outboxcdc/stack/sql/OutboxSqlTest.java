package io.outboxcdc.stack.sql;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OutboxSqlTest {
    @Test
    void aFolderWithoutScriptsIsRefusedByName(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("README.md"), "nothing to apply");

        assertThatThrownBy(() -> OutboxSql.inFolder(folder))
                .isInstanceOf(OutboxSqlException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("<number>_<name>.sql");
    }

    @Test
    void aFolderThatIsNotThereIsRefusedByName(@TempDir Path folder) {
        Path missing = folder.resolve("missing");

        assertThatThrownBy(() -> OutboxSql.inFolder(missing))
                .isInstanceOf(OutboxSqlException.class)
                .hasMessageContaining(missing.toString());
    }

    @Test
    void aSettingThatNoScriptReadsIsRefusedWithTheKnownOnes(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("1_a.sql"), "SELECT current_setting('outbox.payload_type', true);");
        OutboxSql sql = OutboxSql.inFolder(folder);

        assertThatThrownBy(() -> sql.with("outbox.payload_typ", "bytea"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("outbox.payload_typ")
                .hasMessageContaining("[outbox.payload_type]");
    }
}
