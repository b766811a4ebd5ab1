/** Tests of the parts that need no database; the others are in the integration tests. */
@NullMarked
package io.outboxcdc.stack.sql;

import org.jspecify.annotations.NullMarked;
