package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.OutboxFacts;
import io.outboxcdc.monitor.core.PublicationFacts;
import io.outboxcdc.monitor.core.ServerFacts;
import io.outboxcdc.monitor.core.ServerFacts.Holder;
import io.outboxcdc.monitor.core.ServerFacts.OpenWriter;
import io.outboxcdc.monitor.core.ServerFacts.Settings;
import io.outboxcdc.monitor.core.ServerFacts.StandbySlot;
import io.outboxcdc.monitor.core.ServerFacts.Wal;
import io.outboxcdc.monitor.core.SlotFacts;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** One sample of one server. */
final class ServerReading {

    private final Connection connection;
    private final DatabaseTarget target;
    private final int version;

    ServerReading(Connection connection, DatabaseTarget target) throws SQLException {
        this.connection = connection;
        this.target = target;
        this.version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < ServerSql.LEAST_VERSION) {
            throw new SQLException("the server is PostgreSQL " + version + ", and 14 or newer is needed");
        }
    }

    ServerFacts read(Map<String, OutboxFacts> outboxes) throws SQLException {
        // The slots before the heads: a slot that is read first can only be behind them.
        List<SlotRows.Row> rows = slots();
        Wal wal = wal();
        List<OpenWriter> writers = writers();
        Map<String, PublicationFacts> publications = publications();
        try (PreparedStatement query = connection.prepareStatement(ServerSql.SERVER);
                ResultSet row = query.executeQuery()) {
            row.next();
            Lsn head = Lsn.parse(row.getString("head"));
            return new ServerFacts(
                    version,
                    row.getString("system_identifier"),
                    row.getBoolean("in_recovery"),
                    head,
                    Lsn.parse(row.getString("flushed")),
                    settings(row),
                    wal,
                    ours(rows),
                    holders(rows, head),
                    writers,
                    standbys(row.getString("standby_slots"), rows),
                    List.of(),
                    publications,
                    outboxes);
        }
    }

    private static Settings settings(ResultSet row) throws SQLException {
        long keep = row.getLong("max_slot_wal_keep_bytes");
        return new Settings(
                row.getString("wal_level"),
                keep < 0 ? OptionalLong.empty() : OptionalLong.of(keep),
                row.getLong("wal_sender_timeout_ms"),
                row.getLong("idle_slot_timeout_s"),
                row.getLong("wal_segment_bytes"),
                row.getInt("max_slots"),
                row.getInt("used_slots"),
                row.getInt("max_wal_senders"),
                row.getInt("used_wal_senders"));
    }

    private List<SlotRows.Row> slots() throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(ServerSql.slots(version));
                ResultSet rows = query.executeQuery()) {
            return SlotRows.read(rows);
        }
    }

    /** The logical slots of this database; one of the same name elsewhere is not the one that is expected. */
    private Map<String, SlotFacts> ours(List<SlotRows.Row> rows) throws SQLException {
        String database = connection.getCatalog();
        Map<String, SlotFacts> slots = new HashMap<>();
        for (SlotRows.Row row : rows) {
            if (row.logical() && row.facts().database().equals(database)) {
                slots.put(row.facts().name(), row.facts());
            }
        }
        return slots;
    }

    private static List<Holder> holders(List<SlotRows.Row> rows, Lsn head) {
        return rows.stream()
                .map(row -> new Holder(
                        row.facts().name(),
                        row.logical() ? "logical" : "physical",
                        row.facts().active(),
                        row.facts().retainedBytes(head)))
                .sorted((one, other) -> Long.compare(other.retainedBytes(), one.retainedBytes()))
                .toList();
    }

    private static List<StandbySlot> standbys(String setting, List<SlotRows.Row> rows) {
        return Stream.of(setting.split(","))
                .map(name -> name.strip().replace("\"", ""))
                .filter(name -> !name.isEmpty())
                .map(name -> {
                    Optional<SlotFacts> slot = rows.stream()
                            .map(SlotRows.Row::facts)
                            .filter(facts -> facts.name().equals(name))
                            .findFirst();
                    return new StandbySlot(
                            name, slot.isPresent(), slot.map(SlotFacts::active).orElse(false));
                })
                .toList();
    }

    private Wal wal() throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(ServerSql.WAL);
                ResultSet row = query.executeQuery()) {
            row.next();
            WalVolume volume = WalVolume.of(target, row.getLong("bytes"));
            return new Wal(
                    row.getLong("bytes"),
                    row.getLong("ready"),
                    row.getBoolean("archiver_failing"),
                    volume.free(),
                    volume.total());
        }
    }

    private List<OpenWriter> writers() throws SQLException {
        List<OpenWriter> writers = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(ServerSql.WRITERS);
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                writers.add(new OpenWriter(
                        row.getBoolean("prepared"),
                        row.getString("id"),
                        row.getDouble("seconds"),
                        Optional.ofNullable(row.getString("application"))));
            }
        }
        return writers;
    }

    private Map<String, PublicationFacts> publications() throws SQLException {
        Map<String, PublicationFacts> found = new HashMap<>();
        for (ExpectedSlot slot : target.slots()) {
            try (PreparedStatement query = connection.prepareStatement(ServerSql.publication(version))) {
                query.setString(1, slot.table());
                query.setString(2, slot.publication());
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    found.put(slot.slot(), publication(slot, row));
                }
            }
        }
        return found;
    }

    private static PublicationFacts publication(ExpectedSlot slot, ResultSet row) throws SQLException {
        long oid = row.getLong("publication");
        Array unpublished = row.getArray("unpublished");
        return new PublicationFacts(
                slot.publication(),
                slot.table(),
                oid == 0 ? Optional.empty() : Optional.of(oid),
                row.getBoolean("table_exists"),
                row.getBoolean("partitioned"),
                row.getBoolean("logged"),
                row.getBoolean("covered"),
                row.getBoolean("inserts"),
                row.getBoolean("via_root"),
                unpublished == null ? List.of() : List.of((String[]) unpublished.getArray()));
    }
}
