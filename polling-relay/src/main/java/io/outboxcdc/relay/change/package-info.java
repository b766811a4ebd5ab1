/** A row of the outbox as the change record that Debezium's connector would have made of it. */
@NullMarked
package io.outboxcdc.relay.change;

import org.jspecify.annotations.NullMarked;
