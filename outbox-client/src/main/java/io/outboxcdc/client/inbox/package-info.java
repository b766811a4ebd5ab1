/**
 * Consuming messages so that each has its effect once for each consumer: the claim of a message and its effect are one
 * database transaction. {@link io.outboxcdc.client.inbox.Inbox} alone needs the JDK only;
 * {@link io.outboxcdc.client.inbox.InboxConsumer} needs the Kafka clients.
 */
@NullMarked
package io.outboxcdc.client.inbox;

import org.jspecify.annotations.NullMarked;
