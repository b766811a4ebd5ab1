package io.outboxcdc.bench;

import org.jspecify.annotations.Nullable;

/**
 * What the rows of a case are like; ids and keys differ from row to row.
 *
 * @param aggregateType what the topic is made of
 * @param payload       JSON text
 * @param headers       JSON text of an object, or null for SQL NULL
 */
record RowShape(
        String aggregateType, String payload, @Nullable String headers) {}
