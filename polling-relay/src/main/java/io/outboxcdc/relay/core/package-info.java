/** What the relay decides: which rows, when, whose. Needs the JDK alone. */
@NullMarked
package io.outboxcdc.relay.core;

import org.jspecify.annotations.NullMarked;
