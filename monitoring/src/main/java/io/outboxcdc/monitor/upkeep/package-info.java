/** Runs the upkeep of outboxes and inboxes on a schedule, by the functions that {@code outboxctl maintain} calls. */
@NullMarked
package io.outboxcdc.monitor.upkeep;

import org.jspecify.annotations.NullMarked;
