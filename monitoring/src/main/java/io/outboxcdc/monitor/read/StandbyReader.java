package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.ServerFacts.Standby;

import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;

/** Reads which slots a standby could go on with after a failover. Not thread-safe. */
final class StandbyReader implements AutoCloseable {

    private final String address;
    private final KeptConnection connection;

    StandbyReader(String jdbcUrl, DatabaseTarget target) {
        this.address = jdbcUrl.replaceFirst("^jdbc:postgresql:(//)?", "").replaceFirst("\\?.*", "");
        this.connection = new KeptConnection(jdbcUrl, target);
    }

    Standby read() {
        Reading<Set<String>> ready = connection.attempt(open -> {
            try (Statement statement = open.createStatement();
                    ResultSet rows = statement.executeQuery(ServerSql.READY_COPIES)) {
                Set<String> names = new HashSet<>();
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
                return names;
            }
        });
        return new Standby(address, ready);
    }

    @Override
    public void close() {
        connection.close();
    }
}
