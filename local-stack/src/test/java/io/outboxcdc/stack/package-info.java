/** Tests of the local stack, on real processes. */
@NullMarked
package io.outboxcdc.stack;

import org.jspecify.annotations.NullMarked;
