package io.outboxcdc.it.samples;

import io.outboxcdc.client.outbox.Outbox;
import io.outboxcdc.client.outbox.OutboxEvent;
import org.jooq.DSLContext;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

/** jOOQ: the connection of the transaction comes from its DSLContext. */
public final class JooqOrders {
    private final DSLContext dsl;
    private final Outbox outbox = Outbox.create();

    public JooqOrders(DSLContext dsl) {
        this.dsl = dsl;
    }

    public void place(Order order) {
        OutboxEvent event = OutboxEvent.of("order", order.number())
                .withEventType("OrderPlaced")
                .withPayload(order);
        dsl.transaction(transaction -> {
            transaction
                    .dsl()
                    .insertInto(table("shop_order"), field("number"), field("total"))
                    .values(order.number(), order.total())
                    .execute();
            transaction.dsl().connection(connection -> outbox.append(connection, event));
        });
    }
}
