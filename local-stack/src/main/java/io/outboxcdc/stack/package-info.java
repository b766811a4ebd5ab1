/**
 * Starts PostgreSQL, a Kafka broker and a Kafka Connect worker as child processes of this JVM, and takes them down
 * again. Needs no Docker. Depends on no other module of the project at compile time: the connector and the router
 * lie in the worker's plugin path, never on a class path.
 */
@NullMarked
package io.outboxcdc.stack;

import org.jspecify.annotations.NullMarked;
