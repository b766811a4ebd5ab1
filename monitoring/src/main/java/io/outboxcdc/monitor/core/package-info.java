/**
 * What follows from what was read: states, lags, growth, forecasts. Values in, values out; no clock, no network, no file.
 * Depends on the JDK alone.
 */
@NullMarked
package io.outboxcdc.monitor.core;

import org.jspecify.annotations.NullMarked;
