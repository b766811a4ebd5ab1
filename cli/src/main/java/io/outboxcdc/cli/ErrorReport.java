package io.outboxcdc.cli;

import io.outboxcdc.stack.StackException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns an exception into the lines that a person needs, on the error stream, and into an exit code. */
final class ErrorReport implements IExecutionExceptionHandler {

    private final Interruption interruption;

    ErrorReport(Interruption interruption) {
        this.interruption = interruption;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (interruption.isRequested()) {
            command.getErr().println("outboxctl: interrupted.");
            return Interruption.EXIT_CODE;
        }
        if (failure instanceof StackException || failure instanceof CommandFailure) {
            command.getErr().println("outboxctl: " + failure.getMessage());
        } else {
            // Not foreseen, so the trace is what a report needs.
            command.getErr().println("outboxctl: unexpected failure, please report it:");
            failure.printStackTrace(command.getErr());
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}
