package io.outboxcdc.it.samples;

import io.outboxcdc.client.outbox.Outbox;
import io.outboxcdc.client.outbox.OutboxEvent;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Plain JDBC. */
public final class JdbcOrders {
    private final DataSource dataSource;
    private final Outbox outbox = Outbox.create();

    public JdbcOrders(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public void place(Order order) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO shop_order (number, total) VALUES (?, ?)")) {
                insert.setString(1, order.number());
                insert.setBigDecimal(2, order.total());
                insert.executeUpdate();
                outbox.append(
                        connection,
                        OutboxEvent.of("order", order.number())
                                .withEventType("OrderPlaced")
                                .withPayload(order));
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }
}
