package io.outboxcdc.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The kernel's letter for what a process does, from {@code /proc/PID/stat} (proc(5)); only Linux tells.
 */
final class ProcessState {

    static final char STOPPED = 'T';
    static final char ZOMBIE = 'Z';

    private ProcessState() {}

    /** The letter; empty when the process is gone, or this is not Linux. */
    static Optional<Character> of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The second field is the program's name in parentheses, which may hold any character.
            return Optional.of(stat.charAt(stat.lastIndexOf(')') + 2));
        } catch (IOException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
