/**
 * Keeps the outbox fit for years of use: partitions made ahead, sealed and dropped, old rows deleted. The rules are in the
 * database, in {@code sql/25_upkeep.sql} to {@code 27_maintain.sql}; what is here calls them, and does what no function can
 * do: detach a partition without a lock that writers wait for.
 *
 * <p>Needs a JDBC connection and the JDK, so that an application or a command line can run it.
 */
@NullMarked
package io.outboxcdc.client.upkeep;

import org.jspecify.annotations.NullMarked;
