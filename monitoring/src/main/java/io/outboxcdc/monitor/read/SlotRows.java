package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.SlotFacts;
import io.outboxcdc.monitor.core.SlotFacts.Decoding;
import io.outboxcdc.monitor.core.SlotFacts.Walsender;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The rows of the slot statement as values. */
final class SlotRows {

    record Row(boolean logical, SlotFacts facts) {}

    private SlotRows() {}

    static List<Row> read(ResultSet rows) throws SQLException {
        List<Row> slots = new ArrayList<>();
        while (rows.next()) {
            slots.add(new Row(rows.getString("slot_type").equals("logical"), facts(rows)));
        }
        return slots;
    }

    private static SlotFacts facts(ResultSet row) throws SQLException {
        return new SlotFacts(
                row.getString("slot_name"),
                row.getString("database"),
                row.getBoolean("active"),
                row.getString("wal_status"),
                lsn(row, "restart"),
                lsn(row, "confirmed"),
                bytes(row, "safe_wal_size"),
                row.getLong("catalog_xmin_age"),
                Optional.ofNullable(row.getString("invalidation_reason")),
                row.getBoolean("conflicting"),
                row.getBoolean("failover"),
                walsender(row),
                decoding(row));
    }

    private static Optional<Walsender> walsender(ResultSet row) throws SQLException {
        if (row.getString("active_pid") == null) {
            return Optional.empty();
        }
        double replyAge = row.getDouble("reply_age");
        OptionalDouble reply = row.wasNull() ? OptionalDouble.empty() : OptionalDouble.of(Math.max(0, replyAge));
        return Optional.of(new Walsender(
                row.getString("client"),
                reply,
                row.getLong("unsent"),
                Optional.ofNullable(row.getString("wait_event"))));
    }

    private static Optional<Decoding> decoding(ResultSet row) throws SQLException {
        long spilled = row.getLong("spill_bytes");
        return row.wasNull() ? Optional.empty() : Optional.of(new Decoding(spilled, bytes(row, "spilled_on_disk")));
    }

    private static Optional<Lsn> lsn(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column)).map(Lsn::parse);
    }

    private static OptionalLong bytes(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
