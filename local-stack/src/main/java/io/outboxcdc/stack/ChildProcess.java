package io.outboxcdc.stack;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A part as a process that this JVM started. */
final class ChildProcess implements StackProcess {

    private static final long POLL_MS = 50;
    private static final Duration KILL_BOUND = Duration.ofSeconds(20);

    private final Part part;
    private final Guardian guardian;
    private final List<Long> frozenChildren = new CopyOnWriteArrayList<>();
    private volatile @Nullable Process process;

    ChildProcess(Part part, Guardian guardian) {
        this.part = part;
        this.guardian = guardian;
    }

    @Override
    public String name() {
        return part.name();
    }

    @Override
    public long pid() {
        return current().pid();
    }

    @Override
    public Path log() {
        return part.log();
    }

    @Override
    public boolean isAlive() {
        Process last = process;
        return last != null && last.isAlive();
    }

    @Override
    public void kill() {
        if (!isAlive()) {
            return;
        }
        if (!Descendants.killWith(current(), KILL_BOUND)) {
            throw new StackException(
                    "%s has children left %d s after SIGKILL.".formatted(part.name(), KILL_BOUND.toSeconds()));
        }
        forgetFrozenChildren();
    }

    @Override
    public void freeze() {
        long pid = current().pid();
        // The parent first: it starts no more children then.
        Signals.freeze(List.of(pid));
        List<Long> children = Descendants.of(current()).pids();
        children.forEach(child -> guardian.watch(child, "KILL"));
        frozenChildren.addAll(children);
        Signals.freeze(children);
    }

    @Override
    public void thaw() {
        Signals.send("CONT", frozenChildren);
        Signals.send("CONT", List.of(current().pid()));
        forgetFrozenChildren();
    }

    @Override
    public void stop() {
        if (!isAlive()) {
            return;
        }
        thaw();
        Process last = current();
        Signals.send(part.stopSignal(), List.of(last.pid()));
        try {
            if (last.waitFor(Part.STOP_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        kill();
    }

    @Override
    public void start() {
        Process started = launch();
        long begin = System.nanoTime();
        try {
            while (!part.answers().getAsBoolean()) {
                Duration took = Duration.ofNanos(System.nanoTime() - begin);
                if (started.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
                    throw failure("it ended with exit code %d after %.1f s"
                            .formatted(started.exitValue(), took.toMillis() / 1000.0));
                }
                if (took.compareTo(Part.START_BOUND) > 0) {
                    throw failure("it did not answer within %d s".formatted(Part.START_BOUND.toSeconds()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("The start of " + part.name() + " was interrupted.", e);
        }
    }

    private Process launch() {
        if (isAlive()) {
            throw new StackException(part.name() + " is running already, as process " + pid() + ".");
        }
        ProcessBuilder builder = new ProcessBuilder(part.command().get())
                .directory(part.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(part.log().toFile()));
        builder.environment().putAll(part.environment());
        Process started = guardian.launch(builder, part.lastSignal());
        process = started;
        return started;
    }

    private StackException failure(String found) {
        LogEnd end = LogEnd.of(part.log());
        return new StackException(
                "%s did not come up: %s. The end of its log:%n%s".formatted(part.name(), found, end.text()),
                null,
                end.showsTakenPort());
    }

    private Process current() {
        Process last = process;
        if (last == null) {
            throw new StackException(part.name() + " has not been started.");
        }
        return last;
    }

    private void forgetFrozenChildren() {
        frozenChildren.forEach(child -> guardian.forget(child, "KILL"));
        frozenChildren.clear();
    }
}
