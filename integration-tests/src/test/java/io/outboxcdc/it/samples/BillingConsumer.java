package io.outboxcdc.it.samples;

import io.outboxcdc.client.inbox.InboxConsumer;
import io.outboxcdc.client.inbox.InboxMessage;
import io.outboxcdc.client.inbox.RetryPolicy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A consumer loop with its handler. */
public final class BillingConsumer {

    private BillingConsumer() {}

    public static InboxConsumer build(DataSource dataSource, String bootstrapServers, String topic) {
        return InboxConsumer.builder("billing", dataSource, BillingConsumer::invoice)
                .kafka("bootstrap.servers", bootstrapServers)
                .topics(topic)
                .retry(RetryPolicy.forever().deadLetterAfter(10, "billing.dead-letter"))
                .build();
    }

    private static void invoice(Connection connection, InboxMessage message) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO invoice (order_number, event_id) VALUES (?, ?)")) {
            insert.setString(1, message.keyText().orElseThrow());
            insert.setString(2, message.id());
            insert.executeUpdate();
        }
    }
}
