/** What a writer's own build would hold. */
@NullMarked
package io.outboxcdc.it.payload;

import org.jspecify.annotations.NullMarked;
