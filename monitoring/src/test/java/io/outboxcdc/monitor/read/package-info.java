@NullMarked
package io.outboxcdc.monitor.read;

import org.jspecify.annotations.NullMarked;
