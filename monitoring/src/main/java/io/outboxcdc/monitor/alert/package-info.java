/**
 * Alert rules, declared once: the Prometheus file is written from them, and the monitor itself evaluates the same ones on
 * the same measurements.
 */
@NullMarked
package io.outboxcdc.monitor.alert;

import org.jspecify.annotations.NullMarked;
