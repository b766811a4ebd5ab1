/**
 * The outbox transform and its converter. Depends on Kafka Connect, Debezium, Jackson's streaming API and slf4j, all of
 * which are in the connector's folder or on the worker; nothing else may be needed at run time.
 */
@NullMarked
package io.outboxcdc.router;

import org.jspecify.annotations.NullMarked;
