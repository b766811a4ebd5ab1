package io.outboxcdc.client.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A connection for one transaction: rolled back unless committed, and given back as it came. */
final class Transaction implements AutoCloseable {

    private final Connection connection;
    private final boolean autoCommit;
    private boolean committed;

    private Transaction(Connection connection, boolean autoCommit) {
        this.connection = connection;
        this.autoCommit = autoCommit;
    }

    static Transaction begin(DataSource dataSource) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            return new Transaction(connection, autoCommit);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    /**
     * Asks before it commits. PostgreSQL answers the COMMIT of a transaction in which a statement has failed with a rollback
     * and no error: a handler that had swallowed that error would leave neither claim nor effect, and the message would
     * count as handled.
     */
    void commit() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        }
        connection.commit();
        committed = true;
    }

    @Override
    public void close() throws SQLException {
        try (Connection closing = connection) {
            if (!committed) {
                closing.rollback();
            }
            closing.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            // Of a transaction that is committed nothing can be taken back, and of one that is not nothing is there.
            if (committed) {
                return;
            }
            throw e;
        }
    }
}
