/** Whole-pipeline tests: SQL in, Kafka records out, with real parts only. */
@NullMarked
package io.outboxcdc.it;

import org.jspecify.annotations.NullMarked;
