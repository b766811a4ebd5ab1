package io.outboxcdc.cli.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboxcdc.client.ledger.Aggregate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/** All that an application does for an event: one INSERT in the transaction of its business data. */
final class Outbox {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Outbox() {}

    /** Appends an event to the caller's transaction and returns its id. */
    static UUID append(Connection connection, Aggregate aggregate, String eventType, Map<String, Object> payload)
            throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO public.outbox (id, aggregate_type, aggregate_id, event_type, payload, headers)
                VALUES (?, ?, ?, ?, ?::jsonb, ?::jsonb)""")) {
            insert.setObject(1, id);
            insert.setString(2, aggregate.type());
            insert.setString(3, aggregate.id());
            insert.setString(4, eventType);
            insert.setString(5, json(payload));
            insert.setString(6, json(Map.of("traceparent", TraceContext.newTraceparent(), "tenant", "demo")));
            insert.executeUpdate();
        }
        return id;
    }

    private static String json(Map<String, ?> members) {
        try {
            return JSON.writeValueAsString(members);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not to be written as JSON.", e);
        }
    }
}
