package io.outboxcdc.stack;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Starts all processes of one stack, and sees that none outlives this JVM, even when it is killed by SIGKILL: a small
 * shell reads, from a pipe that only this JVM holds open, which processes there are; when the pipe closes without a
 * farewell, it kills them and deletes the temporary folder.
 *
 * <p>Where {@code setsid} exists (Linux), each child has a session of its own, so that Ctrl-C in a terminal reaches
 * this JVM alone, which then stops the parts in order. Thread-safe.
 */
final class Guardian implements AutoCloseable {

    /**
     * Lines read: {@code watch SIGNAL PID}, {@code forget SIGNAL PID}, {@code release}. Arguments: the folder to
     * delete or nothing, PostgreSQL's data folder.
     */
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            watched=' '
            while read -r order signal pid; do
              case $order in
                watch) watched="$watched$signal:$pid " ;;
                forget) case $watched in
                  *" $signal:$pid "*) watched="${watched%%" $signal:$pid "*} ${watched#*" $signal:$pid "}" ;;
                esac ;;
                release) exit 0 ;;
              esac
            done
            for one in $watched; do kill -s CONT "${one#*:}"; kill -s "${one%:*}" "${one#*:}"; done
            for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
              left=
              for one in $watched; do kill -s 0 "${one#*:}" && left=yes; done
              [ -z "$left" ] && break
              sleep 0.2
            done
            for one in $watched; do kill -s KILL "${one#*:}"; done
            if [ -f "$2/postmaster.pid" ]; then ipcrm -m $(sed -n '7s/^.* //p' "$2/postmaster.pid"); fi
            for wait in 1 2 3 4 5 6 7 8 9 10; do
              [ -n "$1" ] && ! rm -rf "$1" && sleep 0.5 || break
            done
            """;

    private static final Duration KILL_BOUND = Duration.ofSeconds(5);

    private final Process shell;
    private final Writer orders;
    private final List<String> sessionPrefix;
    private final Set<Process> alive = ConcurrentHashMap.newKeySet();
    private boolean closing;

    /**
     * Starts to watch.
     *
     * @param workFolder deleted when this JVM is killed, if it is a temporary one
     * @param postgresData PostgreSQL's data folder, there or not
     */
    Guardian(WorkFolder workFolder, Path postgresData) {
        sessionPrefix = onPath("setsid") ? List.of("setsid") : List.of();
        List<String> command = new ArrayList<>(sessionPrefix);
        command.addAll(List.of(
                "sh",
                "-c",
                SCRIPT,
                "guardian",
                workFolder.temporary() ? workFolder.path().toString() : "",
                postgresData.toString()));
        try {
            shell = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new StackException("No shell could be started: " + e.getMessage(), e);
        }
        orders = shell.outputWriter(StandardCharsets.US_ASCII);
    }

    /**
     * Starts a process.
     *
     * @param lastSignal what ends it, if this JVM cannot: {@code KILL}, or {@code QUIT} for PostgreSQL, which then
     *     frees its shared memory
     * @throws StackException if the command cannot be run, or the stack is being stopped
     */
    synchronized Process launch(ProcessBuilder builder, String lastSignal) {
        if (closing) {
            throw new StackException("The stack is being stopped.");
        }
        List<String> command = new ArrayList<>(sessionPrefix);
        command.addAll(builder.command());
        try {
            Process process = builder.command(command).start();
            alive.add(process);
            watch(process.pid(), lastSignal);
            CompletableFuture<Void> unused = process.onExit().thenRun(() -> {
                alive.remove(process);
                forget(process.pid(), lastSignal);
            });
            return process;
        } catch (IOException e) {
            throw new StackException("A process could not be started: " + e.getMessage(), e);
        }
    }

    /** Adds a process that was not started here: a frozen child of a child would not notice its parent's end. */
    void watch(long pid, String lastSignal) {
        order("watch " + lastSignal + " " + pid);
    }

    /** Undoes {@link #watch}. */
    void forget(long pid, String lastSignal) {
        order("forget " + lastSignal + " " + pid);
    }

    /** Lets no further process start. */
    synchronized void refuseLaunches() {
        closing = true;
    }

    /** Kills what still runs, with its children: those of initdb would go on writing. */
    void killRest() {
        alive.forEach(process -> Descendants.killWith(process, KILL_BOUND));
    }

    /** Kills what still runs, and ends the watch. */
    @Override
    public void close() {
        refuseLaunches();
        killRest();
        order("release - -");
        shell.onExit().join();
    }

    private synchronized void order(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            // The shell has been killed by somebody. The stack works without it; it only lost its last safeguard.
            return;
        }
    }

    private static boolean onPath(String command) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        for (String folder : path.split(":", -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, command))) {
                return true;
            }
        }
        return false;
    }
}
