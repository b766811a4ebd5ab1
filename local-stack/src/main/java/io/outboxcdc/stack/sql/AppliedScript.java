package io.outboxcdc.stack.sql;

import java.util.List;

/**
 * A script that was applied and committed.
 *
 * @param name file name, for example {@code 20_outbox.sql}
 * @param notices notices and warnings of the server, in order; empty when there were none
 */
public record AppliedScript(String name, List<String> notices) {
    public AppliedScript {
        notices = List.copyOf(notices);
    }
}
