package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.OutboxFacts;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.ServerFacts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one database over one connection, which is kept, and made anew with growing pauses after a failure. Everything is
 * bounded: a server that hangs costs seconds. Not thread-safe.
 */
public final class PostgresReader implements AutoCloseable {

    /** How the monitor shows in {@code pg_stat_activity}. */
    public static final String APPLICATION_NAME = "slot-monitor";

    private static final Logger LOG = LoggerFactory.getLogger(PostgresReader.class);
    private static final int TABLE_SIZES_EVERY = 12;

    private final DatabaseTarget target;
    private final KeptConnection connection;
    private final List<StandbyReader> standbys;
    private Map<String, OutboxFacts> outboxes = Map.of();
    private int samples;

    /** Reads this database; connects at the first reading. */
    public PostgresReader(DatabaseTarget target) {
        this.target = target;
        this.connection = new KeptConnection(target.jdbcUrl(), target);
        this.standbys = target.standbyUrls().stream()
                .map(url -> new StandbyReader(url, target))
                .toList();
    }

    /** The state of the server, its slots and its publications. */
    public Reading<ServerFacts> read() {
        Reading<ServerFacts> facts = connection.attempt(open -> {
            if (samples++ % TABLE_SIZES_EVERY == 0) {
                outboxes = tableSizes(open);
            }
            return new ServerReading(open, target).read(outboxes);
        });
        return standbys.isEmpty()
                ? facts
                : facts.map(known ->
                        known.with(standbys.stream().map(StandbyReader::read).toList()));
    }

    /** The end of the WAL now. */
    public Optional<Lsn> head() {
        return connection
                .attempt(open -> {
                    try (Statement statement = open.createStatement();
                            ResultSet row = statement.executeQuery(ServerSql.HEAD)) {
                        row.next();
                        return Lsn.parse(row.getString(1));
                    }
                })
                .value();
    }

    /**
     * Writes a heartbeat into the WAL, so that a reader with nothing to read has something to confirm.
     *
     * @throws SQLException when that cannot be
     */
    public void emitHeartbeat() throws SQLException {
        try (Statement statement = connection.open().createStatement()) {
            statement.execute(ServerSql.HEARTBEAT);
        }
    }

    @Override
    public void close() {
        connection.close();
        standbys.forEach(StandbyReader::close);
    }

    private Map<String, OutboxFacts> tableSizes(Connection open) {
        try {
            return new TableReading(open).read(target.slots());
        } catch (SQLException e) {
            LOG.debug("The sizes of the outboxes in {} cannot be read.", target, e);
            return outboxes;
        }
    }
}
