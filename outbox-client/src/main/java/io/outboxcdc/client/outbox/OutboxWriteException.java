package io.outboxcdc.client.outbox;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The database refused the events. SQLSTATE and error code are the database's, so retries and translators work as ever.
 *
 * <p>The driver's own exception is left behind on purpose: it quotes the row, in a batch the whole statement, and a
 * payload must not get into a log.
 */
public final class OutboxWriteException extends SQLException {
    private static final long serialVersionUID = 1L;

    private static final int IDS_NAMED = 3;

    private OutboxWriteException(String message, SQLException cause) {
        super(message, cause.getSQLState(), cause.getErrorCode());
        setStackTrace(cause.getStackTrace());
    }

    static OutboxWriteException of(String table, List<UUID> ids, SQLException failure) {
        SQLException server = Optional.ofNullable(failure.getNextException()).orElse(failure);
        String named = ids.stream().limit(IDS_NAMED).map(UUID::toString).collect(Collectors.joining(", "));
        String more = ids.size() > IDS_NAMED ? " and " + (ids.size() - IDS_NAMED) + " more" : "";
        return new OutboxWriteException(
                "Table " + table + " did not take the events " + named + more + ": " + firstLine(server) + " ["
                        + server.getSQLState() + "]",
                server);
    }

    /** The lines after the first are detail and context, which quote values. */
    private static String firstLine(SQLException server) {
        return Optional.ofNullable(server.getMessage())
                .flatMap(message -> message.lines().findFirst())
                .filter(line -> !line.startsWith("Batch entry"))
                .orElse("no reason given");
    }
}
