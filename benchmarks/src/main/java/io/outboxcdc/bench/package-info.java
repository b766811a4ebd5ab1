/**
 * Measures Debezium's outbox event router and ours beside each other. May depend on the router, on what a worker brings,
 * and on JMH; nothing but the command line may depend on it.
 */
@NullMarked
package io.outboxcdc.bench;

import org.jspecify.annotations.NullMarked;
