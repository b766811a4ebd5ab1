package io.outboxcdc.router;

/** A logical message that is not the row of an outbox. The reason is a sentence's part that names no value. */
final class InvalidMessageException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String why;

    InvalidMessageException(String why) {
        super(why, null, false, false);
        this.why = why;
    }

    String why() {
        return why;
    }
}
