package io.outboxcdc.it.inbox;

import io.outboxcdc.client.inbox.InboxMessage;
import io.outboxcdc.client.inbox.MessageHandler;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A handler whose effect is a row, which nothing but the inbox keeps from being there twice. */
final class Effects implements MessageHandler {

    private final String consumer;

    Effects(String consumer) {
        this.consumer = consumer;
    }

    @Override
    public void handle(Connection connection, InboxMessage message) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO public.effect (consumer, key, message_id, n) VALUES (?, ?, ?, ?)")) {
            insert.setString(1, consumer);
            insert.setString(2, message.keyText().orElse("none"));
            insert.setString(3, message.id());
            insert.setInt(4, number(message));
            insert.executeUpdate();
        }
    }

    /** The payload is a number, or JSON with a member {@code n}. */
    static int number(InboxMessage message) {
        return message.valueText()
                .map(text -> text.replaceAll("\\D", ""))
                .map(Integer::parseInt)
                .orElse(0);
    }
}
