/** The SQL scripts and the check of a database, on real servers of PostgreSQL 14 to 18; no Kafka. */
@NullMarked
package io.outboxcdc.it.sql;

import org.jspecify.annotations.NullMarked;
