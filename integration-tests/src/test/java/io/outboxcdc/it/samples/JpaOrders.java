package io.outboxcdc.it.samples;

import io.outboxcdc.client.outbox.Outbox;
import io.outboxcdc.client.outbox.OutboxEvent;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.Session;

/** JPA with Hibernate: the connection of the transaction comes from the session. The outbox is no entity. */
public final class JpaOrders {
    private final EntityManagerFactory factory;
    private final Outbox outbox = Outbox.create();

    public JpaOrders(EntityManagerFactory factory) {
        this.factory = factory;
    }

    public void place(Order order) {
        OutboxEvent event = OutboxEvent.of("order", order.number())
                .withEventType("OrderPlaced")
                .withPayload(order);
        factory.runInTransaction(entities -> {
            entities.persist(new OrderEntity(order.number(), order.total()));
            entities.unwrap(Session.class).doWork(connection -> outbox.append(connection, event));
        });
    }
}
