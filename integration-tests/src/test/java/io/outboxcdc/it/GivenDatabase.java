package io.outboxcdc.it;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** A PostgreSQL that belongs to somebody else: started by the test, not by the stack. */
final class GivenDatabase implements AutoCloseable {

    private final EmbeddedPostgres postgres;

    private GivenDatabase(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    static GivenDatabase start(Map<String, String> settings) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        settings.forEach(builder::setServerConfig);
        return new GivenDatabase(builder.start());
    }

    String jdbcUrl() {
        return jdbcUrl("postgres");
    }

    String jdbcUrl(String user) {
        return postgres.getJdbcUrl(user, "postgres");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long count(String query) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
