package io.outboxcdc.cli.demo;

import io.outboxcdc.client.ledger.Aggregate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One business transaction: rows of customers and orders are changed and their events appended. Each change raises the
 * row's version under its lock, and the lock is held until commit, so the version is the order of the aggregate's
 * events. Locks are taken customer first, then order, so that writers do not deadlock.
 */
final class OrderTransaction {

    /** An event that was appended; its fate is the transaction's. */
    record Appended(UUID id, Aggregate aggregate, long version) {}

    private final Connection connection;
    private final List<Appended> appended = new ArrayList<>();

    OrderTransaction(Connection connection) {
        this.connection = connection;
    }

    List<Appended> appended() {
        return List.copyOf(appended);
    }

    /** A customer gives a new address: one event. */
    void changeAddress(String customerId) throws SQLException {
        appendCustomerEvent(customerId, "AddressChanged");
    }

    /** A customer places an order: two events, of two aggregates. */
    void placeOrder(String customerId) throws SQLException {
        appendCustomerEvent(customerId, "OrderAdded");
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO outbox_demo.orders (customer_id, status, version) VALUES (?, 'PLACED', 1)
                RETURNING id, status, version""")) {
            insert.setString(1, customerId);
            appendOrderEvent(insert);
        }
    }

    /** The oldest open order goes one step on: one event. False when no order is open. */
    boolean advanceOrder() throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                UPDATE outbox_demo.orders SET version = version + 1,
                    status = CASE status WHEN 'PLACED' THEN 'PAID' WHEN 'PAID' THEN 'PACKED' ELSE 'SHIPPED' END
                WHERE id = (SELECT id FROM outbox_demo.orders WHERE status <> 'SHIPPED' ORDER BY id LIMIT 1 FOR UPDATE)
                RETURNING id, status, version""")) {
            return appendOrderEvent(update);
        }
    }

    private void appendCustomerEvent(String customerId, String eventType) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE outbox_demo.customer SET version = version + 1 WHERE id = ? RETURNING version")) {
            update.setString(1, customerId);
            try (ResultSet row = update.executeQuery()) {
                row.next();
                append(new Aggregate("customer", customerId), row.getLong("version"), eventType);
            }
        }
    }

    private boolean appendOrderEvent(PreparedStatement change) throws SQLException {
        try (ResultSet row = change.executeQuery()) {
            if (!row.next()) {
                return false;
            }
            append(
                    new Aggregate("order", "O" + row.getLong("id")),
                    row.getLong("version"),
                    switch (row.getString("status")) {
                        case "PLACED" -> "OrderPlaced";
                        case "PAID" -> "OrderPaid";
                        case "PACKED" -> "OrderPacked";
                        default -> "OrderShipped";
                    });
            return true;
        }
    }

    private void append(Aggregate aggregate, long version, String eventType) throws SQLException {
        UUID id = Outbox.append(
                connection, aggregate, eventType, Map.of(aggregate.type(), aggregate.id(), "version", version));
        appended.add(new Appended(id, aggregate, version));
    }
}
