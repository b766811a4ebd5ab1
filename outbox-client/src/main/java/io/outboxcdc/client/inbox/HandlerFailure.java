package io.outboxcdc.client.inbox;

import java.util.Objects;

/** A handler threw, or what it wrote could not be committed: the message's fault, as far as one can see. */
final class HandlerFailure extends Exception {
    private static final long serialVersionUID = 1L;

    HandlerFailure(Throwable cause) {
        super(cause);
    }

    Throwable reason() {
        return Objects.requireNonNull(getCause());
    }
}
