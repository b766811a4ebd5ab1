package io.outboxcdc.stack;

import org.jspecify.annotations.Nullable;

/**
 * Something that the stack was asked for did not come about. The message is written for the person in front of the
 * terminal: its first line says what failed, on which part, what was found and what to do; further lines, if any,
 * quote the end of a log or a stack trace. It holds no password.
 */
public final class StackException extends RuntimeException {

    private final boolean portTaken;

    /** A failure that {@code message} explains by itself. */
    public StackException(String message) {
        this(message, null, false);
    }

    /** A failure with the exception behind it. */
    public StackException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    StackException(String message, @Nullable Throwable cause, boolean portTaken) {
        super(message, cause);
        this.portTaken = portTaken;
    }

    /** A port that was free when it was chosen had been taken when the part came to use it. */
    boolean portTaken() {
        return portTaken;
    }
}
