/**
 * Applies the SQL scripts of the outbox over JDBC, and says what is wrong with a database before a connector finds out.
 *
 * <p>Depends on {@link java.sql.Connection} and the PostgreSQL driver only, not on the rest of the local stack.
 */
@NullMarked
package io.outboxcdc.stack.sql;

import org.jspecify.annotations.NullMarked;
