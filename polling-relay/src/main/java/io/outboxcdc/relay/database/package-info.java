/** The relay's side of the database: leases, reading, marking, waking up. */
@NullMarked
package io.outboxcdc.relay.database;

import org.jspecify.annotations.NullMarked;
