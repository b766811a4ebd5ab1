/**
 * Reads PostgreSQL, Kafka Connect and Kafka. Each source has one object that owns its connection; an answer, or the reason
 * why there is none, comes back as a {@link io.outboxcdc.monitor.core.Reading}.
 */
@NullMarked
package io.outboxcdc.monitor.read;

import org.jspecify.annotations.NullMarked;
