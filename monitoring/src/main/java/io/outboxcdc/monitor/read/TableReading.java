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

/** How large the outboxes are. */
final class TableReading {

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
        return new OutboxFacts(rows, bytes, partitions);
    }
}
