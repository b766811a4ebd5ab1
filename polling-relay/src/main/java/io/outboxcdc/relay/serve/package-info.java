/** What the relay counts, and where that is shown. */
@NullMarked
package io.outboxcdc.relay.serve;

import org.jspecify.annotations.NullMarked;
