package io.outboxcdc.stack;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GivenPostgresIT {

    @Test
    void aStackUsesItAndLeavesItAsItIs(@TempDir Path temporary) throws Exception {
        Path folder = temporary.resolve("kept");
        try (OwnPostgres given = new OwnPostgres("")) {
            StackOptions options = StackOptions.of(Home.FOLDER)
                    .withGivenPostgres(given.address())
                    .withWorkFolder(folder);

            try (LocalStack stack = LocalStack.start(options, StartupProgress.SILENT)) {
                assertThat(stack.postgres()).isEqualTo(given.address());
                assertThat(stack.cdcPassword()).isEqualTo(given.address().password());
                assertThat(stack.postgresProcess()).isEmpty();
                assertThat(stack.connect().isReady()).isTrue();
            }

            assertThat(folder.resolve("kafka.log")).content().contains("shut down completed");
            assertThat(folder.resolve("connect.log")).content().contains("Kafka Connect stopped");
            try (Connection connection = given.address().connect()) {
                assertThat(connection.isValid(1)).isTrue();
            }
            assertThatThrownBy(() -> LocalStack.start(options, StartupProgress.SILENT))
                    .isInstanceOf(StackException.class)
                    .hasMessageStartingWith("The work folder holds an earlier stack")
                    .hasMessageContaining(folder.resolve("kafka").toString());
        }
    }

    @Test
    void oneWithoutLogicalWalIsRefusedWithTheRemedy() throws Exception {
        try (OwnPostgres given = new OwnPostgres("wal_level = replica\n")) {
            StackOptions options = StackOptions.of(Home.FOLDER).withGivenPostgres(given.address());

            assertThatThrownBy(() -> LocalStack.start(options, StartupProgress.SILENT))
                    .isInstanceOf(StackException.class)
                    .hasMessageContaining("wal_level = replica")
                    .hasMessageContaining("ALTER SYSTEM SET wal_level = 'logical'")
                    .hasMessageContaining("restart")
                    .hasMessageNotContaining(given.address().password());
        }
    }
}
