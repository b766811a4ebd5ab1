package io.outboxcdc.cli;

/** A foreseen failure. The message says what failed, on which object, what was found and what to do. */
final class CommandFailure extends RuntimeException {

    CommandFailure(String message) {
        super(message);
    }

    CommandFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
