package io.outboxcdc.relay.core;

import org.jspecify.annotations.Nullable;

/** Whose order an event belongs to. Either part is null only in a table that lacks the checks. */
public record AggregateKey(@Nullable String type, @Nullable String id) {}
