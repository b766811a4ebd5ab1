package io.outboxcdc.client.outbox;

import java.util.List;

/**
 * Events could not be published as they are, so none of them was written; the transaction is as it was. The message says
 * for each what was found and what is accepted, never a payload.
 */
public final class InvalidEventException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    InvalidEventException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** A sentence for each problem. */
    public List<String> problems() {
        return problems;
    }
}
