/** The polling relay: publishes an outbox by reading its table, for databases without logical replication. */
@NullMarked
package io.outboxcdc.relay;

import org.jspecify.annotations.NullMarked;
