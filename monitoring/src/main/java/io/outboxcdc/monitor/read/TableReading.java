package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.OutboxFacts;
import io.outboxcdc.monitor.core.OutboxFacts.Partition;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** How large the outboxes are. */
final class TableReading {

    /** As {@code sql/25_upkeep.sql} sets it. */
    private static final double MAKE_AHEAD_SECONDS = 7 * 86_400;

    private final Connection connection;

    TableReading(Connection connection) {
        this.connection = connection;
    }

    /** By the slot's name. */
    Map<String, OutboxFacts> read(List<ExpectedSlot> slots) throws SQLException {
        Map<String, OutboxFacts> found = new HashMap<>();
        for (ExpectedSlot slot : slots) {
            found.put(slot.slot(), read(slot.table()));
        }
        return found;
    }

    private OutboxFacts read(String table) throws SQLException {
        long rows = 0;
        long bytes = 0;
        List<Partition> partitions = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(ServerSql.OUTBOX)) {
            query.setString(1, table);
            query.setString(2, table);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rows += row.getLong("rows");
                    bytes += row.getLong("bytes");
                    String bounds = row.getString("bounds");
                    if (bounds != null) {
                        partitions.add(new Partition(row.getString("name"), bounds));
                    }
                }
            }
        }
        OptionalDouble ahead = partitions.isEmpty() ? OptionalDouble.empty() : ahead(table);
        return new OutboxFacts(rows, bytes, partitions, ahead, ahead.isEmpty() ? MAKE_AHEAD_SECONDS : makeAhead());
    }

    private OptionalDouble ahead(String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(ServerSql.PARTITIONS_AHEAD)) {
            query.setString(1, table);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? OptionalDouble.of(row.getDouble("ahead")) : OptionalDouble.empty();
            }
        }
    }

    private double makeAhead() throws SQLException {
        try (PreparedStatement question = connection.prepareStatement(ServerSql.MAY_READ_UPKEEP);
                ResultSet answer = question.executeQuery()) {
            answer.next();
            if (!answer.getBoolean(1)) {
                return MAKE_AHEAD_SECONDS;
            }
        }
        try (PreparedStatement query = connection.prepareStatement(ServerSql.MAKE_AHEAD);
                ResultSet row = query.executeQuery()) {
            return row.next() ? row.getDouble(1) : MAKE_AHEAD_SECONDS;
        }
    }
}
