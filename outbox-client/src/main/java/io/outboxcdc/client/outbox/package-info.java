/**
 * Writing events: one INSERT in the transaction that makes them true. Needs the JDK and java-uuid-generator only; Jackson
 * and the OpenTelemetry API are used when the application has them.
 */
@NullMarked
package io.outboxcdc.client.outbox;

import org.jspecify.annotations.NullMarked;
