/** The metrics: each declared once, and computed from a sample. Alerts, the dashboard and the endpoint use the same. */
@NullMarked
package io.outboxcdc.monitor.metric;

import org.jspecify.annotations.NullMarked;
