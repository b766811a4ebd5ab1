/** Takes samples: reads all sources in the right order, remembers, and says what state everything is in. */
@NullMarked
package io.outboxcdc.monitor.sample;

import org.jspecify.annotations.NullMarked;
