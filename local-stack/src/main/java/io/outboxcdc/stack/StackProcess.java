package io.outboxcdc.stack;

import java.nio.file.Path;

/**
 * One part of a running stack, and the faults that a test does to it. Each method returns when its effect is there.
 * Methods may be called from any thread, but not two of them on one part at a time.
 */
public interface StackProcess {

    /** The part's name as people know it, such as {@code Kafka Connect}. */
    String name();

    /** The process id; that of the last process when none runs. */
    long pid();

    /** The file that takes standard output and standard error; a restart appends. */
    Path log();

    /** Whether the process runs, be it frozen or not. */
    boolean isAlive();

    /** SIGKILL. PostgreSQL's postmaster dies first, then its children. Without effect when the part is not running. */
    void kill();

    /** SIGSTOP: the part keeps its connections and answers nothing. With PostgreSQL the children too. */
    void freeze();

    /** SIGCONT: undoes {@link #freeze()}. */
    void thaw();

    /**
     * An orderly stop, then SIGKILL when that takes too long. PostgreSQL stops by its <em>fast</em> shutdown. Without
     * effect when the part is not running.
     */
    void stop();

    /**
     * Starts the part again, on the same port and with the same data, and waits until it answers.
     *
     * @throws StackException if it is running already, or does not come up
     */
    void start();
}
