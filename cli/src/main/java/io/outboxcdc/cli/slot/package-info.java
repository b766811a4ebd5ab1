/**
 * What an operator does to a slot: what is there, what it would cost, whether it may be done, and doing it. The rules are
 * in {@code Guards}, which needs no database.
 */
@NullMarked
package io.outboxcdc.cli.slot;

import org.jspecify.annotations.NullMarked;
