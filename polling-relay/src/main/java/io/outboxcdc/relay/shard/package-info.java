/** Shards at work: who has which, and how the events of one are published. */
@NullMarked
package io.outboxcdc.relay.shard;

import org.jspecify.annotations.NullMarked;
