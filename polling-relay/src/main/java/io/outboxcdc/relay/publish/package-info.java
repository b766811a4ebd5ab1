/** The relay's side of Kafka: the router, topics, and transactions. */
@NullMarked
package io.outboxcdc.relay.publish;

import org.jspecify.annotations.NullMarked;
