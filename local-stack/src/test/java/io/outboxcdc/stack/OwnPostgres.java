package io.outboxcdc.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A PostgreSQL beside the stack, for tests that give one to it. */
final class OwnPostgres implements AutoCloseable {

    private final WorkFolder folder = WorkFolder.open(Optional.empty());
    private final Guardian guardian = new Guardian(folder, PostgresServer.dataFolder(folder.path()));
    private final PostgresServer server;
    private final ChildProcess process;

    /** Starts one with these lines at the end of its settings. */
    OwnPostgres(String settings) throws IOException {
        int port = Ports.choose(StackOptions.of(Home.FOLDER)).postgres();
        server = new PostgresServer(RuntimeFolder.in(Home.FOLDER), folder.path(), port, guardian);
        server.initialise();
        Path file = PostgresServer.dataFolder(folder.path()).resolve("postgresql.conf");
        Files.writeString(file, settings, StandardOpenOption.APPEND);
        process = server.process(folder.log("postgres"));
        process.start();
    }

    PostgresAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        process.stop();
        guardian.close();
        folder.discard();
    }
}
