/** What the monitor does by itself. Only what cannot lose an event; moving or dropping a slot is nobody's but a person's. */
@NullMarked
package io.outboxcdc.monitor.act;

import org.jspecify.annotations.NullMarked;
