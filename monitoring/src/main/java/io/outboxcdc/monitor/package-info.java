/** The slot monitor: one process, one configuration file. {@link io.outboxcdc.monitor.SlotMonitor} is its whole life. */
@NullMarked
package io.outboxcdc.monitor;

import org.jspecify.annotations.NullMarked;
