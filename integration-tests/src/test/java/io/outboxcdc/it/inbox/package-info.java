/** The consumer's end of the pipe on a real database and a real broker. */
@NullMarked
package io.outboxcdc.it.inbox;

import org.jspecify.annotations.NullMarked;
