package io.outboxcdc.stack;

import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** PostgreSQL of the stack's own: its data folder, its settings, its process. */
final class PostgresServer {

    static final String NAME = "PostgreSQL";
    private static final String SUPERUSER = "postgres";
    private static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C");

    private final Path folder;
    private final Path cache;
    private final Guardian guardian;
    private final PostgresAddress address;
    private volatile @Nullable PostgresPrograms programs;

    PostgresServer(RuntimeFolder runtime, Path workFolder, int port, Guardian guardian) {
        this.folder = folder(workFolder);
        this.cache = runtime.postgres();
        this.guardian = guardian;
        this.address = new PostgresAddress("127.0.0.1", port, "postgres", SUPERUSER, Secrets.random());
    }

    static Path folder(Path workFolder) {
        return workFolder.resolve("postgres");
    }

    static Path dataFolder(Path workFolder) {
        return folder(workFolder).resolve("data");
    }

    PostgresAddress address() {
        return address;
    }

    /** Unpacks the programs when that has not been done, and makes the data folder, the superuser's password in it. */
    void initialise() {
        PostgresPrograms found = PostgresPrograms.find(cache, folder.resolve("programs"));
        programs = found;
        Path data = folder.resolve("data");
        Path passwordFile = data.resolveSibling("data.password");
        try {
            found.account().createOwnFolder(folder);
            Files.writeString(passwordFile, address.password());
            runInitdb(found, data, passwordFile);
            Files.writeString(data.resolve("postgresql.conf"), settings(), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new StackException("The data folder of PostgreSQL cannot be made: " + e.getMessage(), e);
        } finally {
            FileUtils.deleteQuietly(passwordFile.toFile());
        }
    }

    ChildProcess process(Path log) {
        // SIGINT is the fast shutdown: clients are sent away. SIGTERM would wait for them.
        Part part = new Part(NAME, this::command, ENVIRONMENT, folder, log, this::answers, "INT", "QUIT");
        return new ChildProcess(part, guardian);
    }

    private List<String> command() {
        PostgresPrograms found = programs;
        if (found == null) {
            throw new StackException(NAME + " has no data folder yet.");
        }
        return found.command("postgres", "-D", folder.resolve("data").toString());
    }

    private void runInitdb(PostgresPrograms found, Path data, Path passwordFile) {
        Path log = folder.resolve("initdb.log");
        ProcessBuilder initdb = new ProcessBuilder(found.command(
                        "initdb",
                        "--pgdata=" + data,
                        "--username=" + SUPERUSER,
                        "--pwfile=" + passwordFile,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        initdb.environment().putAll(ENVIRONMENT);
        int exitCode = guardian.launch(initdb, "KILL").onExit().join().exitValue();
        if (exitCode != 0) {
            throw new StackException("PostgreSQL's initdb failed with exit code %d. The end of its output:%n%s"
                    .formatted(exitCode, LogEnd.of(log).text()));
        }
    }

    private String settings() {
        Map<String, String> settings = Map.ofEntries(
                Map.entry("listen_addresses", "'127.0.0.1'"),
                Map.entry("port", Integer.toString(address.port())),
                Map.entry("unix_socket_directories", "''"),
                Map.entry("wal_level", "logical"),
                Map.entry("max_wal_senders", "20"),
                Map.entry("max_replication_slots", "20"),
                Map.entry("max_connections", "100"),
                Map.entry("shared_buffers", "'64MB'"),
                Map.entry("max_wal_size", "'1GB'"),
                // In the data folder: after a SIGKILL nothing stays in /dev/shm.
                Map.entry("dynamic_shared_memory_type", "mmap"),
                Map.entry("log_line_prefix", "'%m [%p] '"));
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + " = " + setting.getValue())
                .sorted()
                .collect(Collectors.joining("\n", "\n", "\n"));
    }

    private boolean answers() {
        try (Connection connection = address.connect()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }
}
