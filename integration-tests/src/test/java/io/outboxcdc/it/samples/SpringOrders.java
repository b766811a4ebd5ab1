package io.outboxcdc.it.samples;

import io.outboxcdc.client.outbox.Outbox;
import io.outboxcdc.client.outbox.OutboxEvent;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Spring: the connection of the transaction comes from the JdbcTemplate. */
public class SpringOrders {
    private final JdbcTemplate jdbc;
    private final Outbox outbox = Outbox.create();

    public SpringOrders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    public void place(Order order) {
        jdbc.update("INSERT INTO shop_order (number, total) VALUES (?, ?)", order.number(), order.total());
        OutboxEvent event = OutboxEvent.of("order", order.number())
                .withEventType("OrderPlaced")
                .withPayload(order);
        jdbc.execute((ConnectionCallback<?>) connection -> outbox.append(connection, event));
    }
}
