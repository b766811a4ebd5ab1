@NullMarked
package io.outboxcdc.monitor.core;

import org.jspecify.annotations.NullMarked;
