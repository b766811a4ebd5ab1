package io.outboxcdc.stack;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The last step of the build: starts broker and worker once, and lets them write down which classes they load. Does
 * nothing when no jar has changed since. Not for users.
 */
public final class ClassArchiveRecorder {

    private ClassArchiveRecorder() {}

    /**
     * Never fails: without archives a stack takes longer to start, and that is all.
     *
     * @param args the project's root folder
     */
    public static void main(String[] args) {
        try {
            record(RuntimeFolder.in(Path.of(args[0]).toAbsolutePath().normalize()));
        } catch (IOException | StackException e) {
            System.out.println("Class archives not recorded, stacks will start without: " + e.getMessage());
        }
    }

    private static void record(RuntimeFolder runtime) throws IOException {
        ClassArchives archives = ClassArchives.of(runtime);
        if (archives.areUpToDate(runtime.kafkaJars())) {
            return;
        }
        archives.clear();
        StackOptions options = StackOptions.of(runtime.home());
        try (LocalStack stack =
                LocalStack.start(options, runtime, JavaCommand.recording(runtime), StartupProgress.SILENT)) {
            stack.connect().plugins();
            stack.connectProcess().stop();
            stack.kafkaProcess().stop();
        }
        if (!archives.areComplete()) {
            System.out.println("Class archives not recorded, stacks will start without.");
        }
    }
}
