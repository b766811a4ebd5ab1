package io.outboxcdc.relay.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * Where the outbox is.
 *
 * @param url {@code jdbc:postgresql:...}, without a password
 */
public record Database(String url, String user, String password) {

    private static final String CONNECT_SECONDS = "10";

    /** A server that does not answer for so long is given up, else a worker would wait for ever. */
    private static final String ANSWER_SECONDS = "60";

    /** A connection in auto-commit mode. */
    public Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("ApplicationName", "polling-relay");
        properties.setProperty("connectTimeout", CONNECT_SECONDS);
        properties.setProperty("socketTimeout", ANSWER_SECONDS);
        properties.setProperty("tcpKeepAlive", "true");
        Connection connection = DriverManager.getConnection(url, properties);
        try (Statement statement = connection.createStatement()) {
            // The table is empty of unpublished rows at one moment and full of them at the next, so statistics mislead.
            statement.execute("SET enable_seqscan = off; SET plan_cache_mode = force_custom_plan");
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    @Override
    public String toString() {
        return url;
    }
}
