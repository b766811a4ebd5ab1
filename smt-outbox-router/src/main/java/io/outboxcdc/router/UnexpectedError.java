package io.outboxcdc.router;

import java.util.Optional;

/**
 * Makes a dead letter of what a row has raised without any rule having foreseen it. Says what and where, never the
 * message: it may quote the row.
 */
final class UnexpectedError {

    private UnexpectedError() {}

    static Verdict.DeadLetter of(OutboxEvent event, Throwable error) {
        StackTraceElement[] trace = error.getStackTrace();
        return new Verdict.DeadLetter(
                event,
                DeadLetterReason.UNEXPECTED_ERROR,
                Optional.empty(),
                "the router failed with " + error.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]));
    }
}
