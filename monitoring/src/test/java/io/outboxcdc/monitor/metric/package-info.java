@NullMarked
package io.outboxcdc.monitor.metric;

import org.jspecify.annotations.NullMarked;
