package io.outboxcdc.relay.change;

/** A column that the router gets. */
public record OutboxColumn(String name, ColumnType type) {}
