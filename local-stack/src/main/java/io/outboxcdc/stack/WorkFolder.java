package io.outboxcdc.stack;

import org.apache.commons.io.FileUtils;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where one stack keeps its data and its logs. */
record WorkFolder(Path path, boolean temporary) {

    /** Of temporary folders; the id of this process follows. */
    static final String PREFIX = "outbox-stack-";

    /** The folder that was asked for, or a temporary one that only this user may read. */
    static WorkFolder open(Optional<Path> asked) {
        try {
            if (asked.isEmpty()) {
                return new WorkFolder(
                        Files.createTempDirectory(
                                PREFIX + ProcessHandle.current().pid() + "-"),
                        true);
            }
            Path folder = asked.get();
            refuseOldData(folder);
            Files.createDirectories(folder);
            return new WorkFolder(folder, false);
        } catch (IOException e) {
            throw new StackException(
                    "The work folder cannot be made: %s. Name another one.".formatted(e.getMessage()), e);
        }
    }

    Path log(String part) {
        return path.resolve(part + ".log");
    }

    /** Deletes a temporary folder. */
    void discard() {
        if (temporary) {
            FileUtils.deleteQuietly(path.toFile());
        }
    }

    private static void refuseOldData(Path folder) {
        List<Path> old = Stream.of(
                        PostgresServer.folder(folder), KafkaBroker.folder(folder), ConnectWorker.folder(folder))
                .filter(Files::exists)
                .toList();
        if (!old.isEmpty()) {
            throw new StackException("The work folder holds an earlier stack: %s. Delete that or name another folder."
                    .formatted(old.stream().map(Path::toString).collect(Collectors.joining(", "))));
        }
    }
}
