@NullMarked
package io.outboxcdc.relay.shard;

import org.jspecify.annotations.NullMarked;
