package io.outboxcdc.relay.core;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A row of the outbox that is to be published.
 *
 * @param seq       its place in the order of the inserts
 * @param id        the event's id as text
 * @param attempts  how often publishing it has failed
 * @param createdAt when its transaction began
 * @param values    the columns that the router gets, in the order in which they are configured
 */
public record EventRow(
        long seq, String id, AggregateKey aggregate, int attempts, Instant createdAt, List<@Nullable Object> values) {}
