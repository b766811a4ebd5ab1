package io.outboxcdc.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * SIGINT or SIGTERM to this process: asks the running command to end in order, and lets it choose the exit code.
 *
 * <p>A JVM that gets a signal runs its shutdown hooks while all other threads go on, so the hook here waits until the
 * command has cleaned up. Thread-safe.
 */
final class Interruption {

    /** Longer than the stack may take to stop; a command that hangs longer is given up. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Of a command that could not end in order: 128 + SIGINT, as shells report it. */
    static final int EXIT_CODE = 130;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CompletableFuture<Integer> finished = new CompletableFuture<>();

    static Interruption install() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(new Thread(interruption::endJvm, "interruption"));
        return interruption;
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits until the process is asked to end, or the time is over; true when asked. */
    boolean await(Duration atMost) throws InterruptedException {
        return requested.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the JVM with this code; called once, when all is cleaned up. */
    void finish(int exitCode) {
        finished.complete(exitCode);
        System.exit(exitCode);
    }

    private void endJvm() {
        requested.countDown();
        int exitCode = EXIT_CODE;
        try {
            exitCode = finished.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            System.err.println("outboxctl: did not end within " + PATIENCE.toSeconds() + " s and is cut off.");
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(exitCode);
    }
}
