/** What runs inside the child processes. Packed into a jar of its own, which lies beside Kafka's. */
@NullMarked
package io.outboxcdc.stack.child;

import org.jspecify.annotations.NullMarked;
