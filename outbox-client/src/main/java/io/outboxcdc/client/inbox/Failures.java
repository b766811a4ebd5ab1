package io.outboxcdc.client.inbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** How failures are told: in full to the table, beside the message; to the log without what may quote a payload. */
final class Failures {

    private static final Logger LOG = System.getLogger("io.outboxcdc.client.inbox");
    private static final int MOST_CHARACTERS = 1_000;

    private Failures() {}

    /** For {@code last_error}. */
    static String text(Throwable reason) {
        String text = reason.toString().replace('\0', '\ufffd');
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
    }

    static void log(String consumer, InboxMessage message, int attempt, Throwable reason) {
        LOG.log(
                Level.WARNING,
                "Consumer {0}: attempt {1} at message {2} at {3} failed with {4}; its key waits, others go on."
                        + " The error is in inbox_message.last_error.",
                consumer,
                Integer.toString(attempt),
                message.id(),
                message.place(),
                reason.getClass().getName());
    }

    static void logTrouble(String consumer, long delayMillis, Exception trouble) {
        LOG.log(
                Level.WARNING,
                "Consumer {0}: the database does not serve it; it tries again in {1} ms. {2}",
                consumer,
                Long.toString(delayMillis),
                firstLine(trouble));
    }

    static void logKafka(String consumer, String what, Exception trouble) {
        LOG.log(Level.WARNING, "Consumer {0}: {1}. {2}", consumer, what, firstLine(trouble));
    }

    private static String firstLine(Exception e) {
        return e.toString().lines().findFirst().orElse("");
    }
}
