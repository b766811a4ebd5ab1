package io.outboxcdc.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the build has laid out for the child processes, beneath the project's root. */
record RuntimeFolder(Path home) {

    /**
     * Finds the folder, and all that a stack needs of it.
     *
     * @throws StackException if something is missing
     */
    static RuntimeFolder in(Path home) {
        RuntimeFolder folder = new RuntimeFolder(home);
        List<Path> missing = Stream.of(folder.kafka(), folder.plugins(), folder.workerProperties())
                .filter(Files::notExists)
                .toList();
        if (!missing.isEmpty()) {
            throw new StackException(("Not built: %s missing. Run 'mvn -DskipTests package' in %s, or name the "
                            + "project's root folder if that is another one.")
                    .formatted(missing.stream().map(Path::toString).collect(Collectors.joining(" and ")), home));
        }
        return folder;
    }

    Path kafka() {
        return runtime().resolve("kafka");
    }

    Path plugins() {
        return runtime().resolve("plugins");
    }

    Path postgres() {
        return runtime().resolve("postgres");
    }

    Path workerProperties() {
        return home.resolve("connector-configs/connect-worker.properties");
    }

    Path classArchives() {
        return runtime().resolve("class-archives");
    }

    /** The jars of broker and worker, in an order that does not change. */
    List<Path> kafkaJars() {
        try (Stream<Path> files = Files.list(kafka())) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new StackException("The class path of Kafka cannot be read: " + kafka(), e);
        }
    }

    private Path runtime() {
        return home.resolve("local-stack/target/runtime");
    }
}
