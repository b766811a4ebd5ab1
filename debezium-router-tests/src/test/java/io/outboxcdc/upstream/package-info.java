/** Debezium's published tests of its outbox event router, with our router in its place. Nothing of them is copied. */
@NullMarked
package io.outboxcdc.upstream;

import org.jspecify.annotations.NullMarked;
