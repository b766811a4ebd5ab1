package io.outboxcdc.router;

/** A document that no Connect schema expresses exactly. The message is a sentence's part that names no value. */
final class NotExpressibleException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String why;

    NotExpressibleException(String why) {
        super(why, null, false, false);
        this.why = why;
    }

    String why() {
        return why;
    }
}
