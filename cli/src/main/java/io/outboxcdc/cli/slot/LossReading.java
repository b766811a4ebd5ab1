package io.outboxcdc.cli.slot;

import io.outboxcdc.cli.slot.Situation.Slot;
import io.outboxcdc.monitor.core.Lsn;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Counts what a deed would lose, by decoding the WAL that the slot has not delivered, as its reader would. The slot is not
 * moved by it.
 *
 * <p>Bounded: decoding ends after so many changes, since the server keeps them in temporary files, and after a minute.
 */
public final class LossReading {

    private static final int MOST_CHANGES = 100_000;
    private static final String AT_MOST = "60s";
    private static final String QUERY_CANCELED = "57014";

    /**
     * An event is an inserted row, or a message with the router's prefix. A transaction counts when it ends behind what
     * Kafka has. Bytes of the messages: pgoutput's documentation, "Logical Replication Message Formats".
     */
    private static final String COUNT = """
            WITH changes AS MATERIALIZED (
                SELECT lsn, xid, data, get_byte(data, 0) AS kind
                FROM pg_logical_slot_peek_binary_changes(?, ?::pg_lsn, ?, 'proto_version', '1', 'publication_names',
                    quote_ident(?), 'messages', 'true')),
            undelivered AS (SELECT xid FROM changes WHERE kind = ascii('C') AND lsn > ?::pg_lsn)
            SELECT count(*) AS events, (SELECT count(*) FROM changes) AS changes
            FROM changes JOIN undelivered USING (xid)
            WHERE kind = ascii('I') OR kind = ascii('M') AND ? <> ''
                AND substring(data FROM 11 FOR length(?) + 1) = convert_to(?, 'UTF8') || '\\000'::bytea
            """;

    private final Connection connection;
    private final String name;

    /** For the slot {@code name}, over a connection in auto-commit mode. */
    public LossReading(Connection connection, String name) {
        this.connection = connection;
        this.name = name;
    }

    /** What is lost by a deed. */
    public Loss of(Situation situation, Deed deed) throws SQLException {
        if (situation.slot().isEmpty()) {
            return new Loss(0, Optional.empty(), "there is no slot, and nobody knows what it had delivered");
        }
        Slot slot = situation.slot().get();
        Lsn end = deed instanceof Deed.Advance advance
                ? advance.to()
                : situation.server().end();
        Lsn confirmed = slot.confirmed().orElse(end);
        Lsn from = situation
                .delivered()
                .filter(offset -> offset.isAfter(confirmed))
                .orElse(confirmed);
        if (slot.lost()) {
            return new Loss(
                    end.bytesSince(from),
                    deed instanceof Deed.Drop ? Loss.NONE.count() : Optional.empty(),
                    "the server has dropped it");
        }
        if (!end.isAfter(from)) {
            return Loss.NONE;
        }
        if (slot.reader().isPresent()
                || !slot.logical()
                || situation.publication().isEmpty()) {
            String why = slot.reader().isPresent() ? "the slot is in use" : "its publication is not known";
            return new Loss(end.bytesSince(from), Optional.empty(), why);
        }
        String prefix =
                situation.reader().flatMap(Situation.Reader::messagePrefix).orElse("");
        return count(end, from, situation.publication().get(), prefix);
    }

    private Loss count(Lsn end, Lsn from, String publication, String prefix) throws SQLException {
        try (Statement bound = connection.createStatement();
                PreparedStatement query = connection.prepareStatement(COUNT)) {
            bound.execute("SET statement_timeout = '" + AT_MOST + "'");
            query.setString(1, name);
            query.setString(2, end.toString());
            query.setInt(3, MOST_CHANGES);
            query.setString(4, publication);
            query.setString(5, from.toString());
            query.setString(6, prefix);
            query.setString(7, prefix);
            query.setString(8, prefix);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                Loss.Count count = new Loss.Count(row.getLong("events"), row.getLong("changes") >= MOST_CHANGES);
                return new Loss(end.bytesSince(from), Optional.of(count), "");
            } finally {
                bound.execute("RESET statement_timeout");
            }
        } catch (SQLException e) {
            if (QUERY_CANCELED.equals(e.getSQLState())) {
                return new Loss(end.bytesSince(from), Optional.empty(), "reading it took longer than " + AT_MOST);
            }
            throw e;
        }
    }
}
