package io.outboxcdc.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The shared memory of a PostgreSQL that was killed: the kernel keeps it until the next start in the same folder. */
final class SharedMemory {

    /** The seventh line of postmaster.pid holds key and id of the System V segment. */
    private static final int LINE = 6;

    private static final Pattern SPACE = Pattern.compile(" +");

    private SharedMemory() {}

    /** Frees what a server in this data folder has left. To be called when it is dead for good. */
    static void free(Path dataFolder) {
        try {
            Path file = dataFolder.resolve("postmaster.pid");
            if (Files.notExists(file)) {
                return;
            }
            List<String> lines = Files.readAllLines(file);
            if (lines.size() > LINE) {
                List<String> keyAndId =
                        SPACE.splitAsStream(lines.get(LINE).strip()).toList();
                new ProcessBuilder("ipcrm", "-m", keyAndId.get(keyAndId.size() - 1))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .onExit()
                        .join();
            }
        } catch (IOException e) {
            // Without ipcrm 56 bytes stay behind; no reason to fail.
            return;
        }
    }
}
