package io.outboxcdc.stack;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A stack that cannot be started says why, and leaves nothing. */
class RefusedStartIT {

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(ProcessHandle.current().descendants()).isEmpty();
        assertThat(ParentsEndIT.temporaryFolders(ProcessHandle.current().pid())).isEmpty();
    }

    @Test
    void portsThatAreTakenAreNamedBeforeAnythingStarts() throws IOException {
        List<String> started = new CopyOnWriteArrayList<>();
        StartupProgress progress = new StartupProgress() {
            @Override
            public void starting(String part) {
                started.add(part);
            }

            @Override
            public void ready(String part, Duration took) {}
        };
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            StackOptions options = StackOptions.of(Home.FOLDER)
                    .withPostgresPort(one.getLocalPort())
                    .withConnectPort(other.getLocalPort());

            assertThatThrownBy(() -> LocalStack.start(options, progress))
                    .isInstanceOf(StackException.class)
                    .hasMessageContaining("Port %d for PostgreSQL is taken", one.getLocalPort())
                    .hasMessageContaining("Port %d for Kafka Connect is taken", other.getLocalPort())
                    .hasMessageContaining("ask for another port")
                    .hasMessageNotContaining("\n");
            assertThat(started).isEmpty();
        }
    }

    @Test
    void aPartThatDiesIsReportedWithTheEndOfItsLog(@TempDir Path home) throws IOException {
        Path runtime = home.resolve("local-stack/target/runtime");
        Files.createDirectories(runtime.getParent());
        Files.createSymbolicLink(runtime, Home.FOLDER.resolve("local-stack/target/runtime"));
        Path worker = home.resolve("connector-configs/connect-worker.properties");
        Files.createDirectories(worker.getParent());
        String good = Files.readString(Home.FOLDER.resolve("connector-configs/connect-worker.properties"));
        Files.writeString(worker, good + "\nvalue.converter=no.such.Converter\n");

        Throwable thrown = catchThrowable(() -> LocalStack.start(StackOptions.of(home), StartupProgress.SILENT));
        Files.delete(runtime);

        assertThat(thrown)
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith("Kafka Connect did not come up: it ended with exit code ")
                .hasMessageContaining("no.such.Converter");
    }

    @Test
    void aFolderThatIsNotBuiltIsRefused(@TempDir Path home) {
        assertThatThrownBy(() -> LocalStack.start(StackOptions.of(home), StartupProgress.SILENT))
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith("Not built: ")
                .hasMessageContaining("mvn -DskipTests package");
    }

    @Test
    void aGivenPostgresThatDoesNotAnswerIsNamed() {
        StackOptions options = StackOptions.of(Home.FOLDER)
                .withGivenPostgres(new PostgresAddress("127.0.0.1", 1, "shop", "me", "secret"));

        assertThatThrownBy(() -> LocalStack.start(options, StartupProgress.SILENT))
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith("PostgreSQL cannot be reached at 127.0.0.1:1/shop as me: ")
                .hasMessageNotContaining("secret");
    }
}
