package io.outboxcdc.stack;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a stack is to be like.
 *
 * @param home the project's root folder, built
 * @param workFolder where data and logs go, and stay; without one a fresh temporary folder, deleted at the end
 * @param postgresPort the port to use; without one a free one is chosen, as for the other ports
 * @param givenPostgres a PostgreSQL that runs already and is to be used; none is started then
 * @param jvms how the JVMs are tuned
 * @param workerSettings settings of the Connect worker in place of those in {@code connect-worker.properties}
 */
public record StackOptions(
        Path home,
        Optional<Path> workFolder,
        OptionalInt postgresPort,
        OptionalInt kafkaPort,
        OptionalInt connectPort,
        Optional<PostgresAddress> givenPostgres,
        JvmProfile jvms,
        Map<String, String> workerSettings) {

    /** Copies the settings. */
    public StackOptions {
        workerSettings = Map.copyOf(workerSettings);
    }

    /** Free ports, a temporary folder, a PostgreSQL of its own. */
    public static StackOptions of(Path home) {
        return new StackOptions(
                home.toAbsolutePath().normalize(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                JvmProfile.QUICK_START,
                Map.of());
    }

    /** A copy that keeps data and logs in {@code folder}, which must not hold those of an earlier stack. */
    public StackOptions withWorkFolder(Path folder) {
        Optional<Path> absolute = Optional.of(folder.toAbsolutePath().normalize());
        return new StackOptions(
                home, absolute, postgresPort, kafkaPort, connectPort, givenPostgres, jvms, workerSettings);
    }

    /** A copy with this port for PostgreSQL. */
    public StackOptions withPostgresPort(int port) {
        return new StackOptions(
                home, workFolder, OptionalInt.of(port), kafkaPort, connectPort, givenPostgres, jvms, workerSettings);
    }

    /** A copy with this port for Kafka's clients. */
    public StackOptions withKafkaPort(int port) {
        return new StackOptions(
                home, workFolder, postgresPort, OptionalInt.of(port), connectPort, givenPostgres, jvms, workerSettings);
    }

    /** A copy with this port for the REST interface of Kafka Connect. */
    public StackOptions withConnectPort(int port) {
        return new StackOptions(
                home, workFolder, postgresPort, kafkaPort, OptionalInt.of(port), givenPostgres, jvms, workerSettings);
    }

    /** A copy that uses this PostgreSQL in place of one of its own. */
    public StackOptions withGivenPostgres(PostgresAddress address) {
        return new StackOptions(
                home, workFolder, postgresPort, kafkaPort, connectPort, Optional.of(address), jvms, workerSettings);
    }

    /** A copy with JVMs tuned like this. */
    public StackOptions withJvms(JvmProfile profile) {
        return new StackOptions(
                home, workFolder, postgresPort, kafkaPort, connectPort, givenPostgres, profile, workerSettings);
    }

    /** A copy whose worker has these settings in place of its own. */
    public StackOptions withWorkerSettings(Map<String, String> settings) {
        return new StackOptions(home, workFolder, postgresPort, kafkaPort, connectPort, givenPostgres, jvms, settings);
    }
}
