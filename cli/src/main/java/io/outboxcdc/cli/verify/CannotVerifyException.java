package io.outboxcdc.cli.verify;

/** Nothing can be said about the pipeline. The message says why, and what to do; it holds no secret and no payload. */
public final class CannotVerifyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Without a cause: the message says all. */
    public CannotVerifyException(String message) {
        super(message);
    }

    /** With the failure behind it. */
    public CannotVerifyException(String message, Throwable cause) {
        super(message, cause);
    }
}
