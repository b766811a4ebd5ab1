package io.outboxcdc.stack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Starts parts side by side; the first failure ends it. */
final class Startup {

    private static final long END_BOUND_SECONDS = 10;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final StartupProgress progress;
    private final List<Runnable> starts = new ArrayList<>();

    Startup(StartupProgress progress) {
        this.progress = progress;
    }

    void add(String part, Runnable start) {
        starts.add(() -> {
            long begin = System.nanoTime();
            synchronized (progress) {
                progress.starting(part);
            }
            start.run();
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            synchronized (progress) {
                progress.ready(part, took);
            }
        });
    }

    /**
     * Returns when all parts answer.
     *
     * @throws StackException that of the first part that fails; others may be on their way still
     */
    void run() {
        CompletionService<Object> completions = new ExecutorCompletionService<>(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            starts.forEach(start -> running.add(completions.submit(Executors.callable(start))));
            for (int done = 0; done < running.size(); done++) {
                completions.take().get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StackException known
                    ? known
                    : new StackException("The stack could not be started: " + e.getCause(), e.getCause());
        } catch (RejectedExecutionException e) {
            throw new StackException("The stack is being stopped.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("The start was interrupted.", e);
        }
    }

    /** Waits for nothing and lets no further start begin. */
    void cancel() {
        threads.shutdownNow();
    }

    /** Waits until no start is on its way any more: it could still write into the work folder. */
    void awaitEnd() {
        try {
            threads.awaitTermination(END_BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
