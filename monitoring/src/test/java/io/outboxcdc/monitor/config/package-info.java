@NullMarked
package io.outboxcdc.monitor.config;

import org.jspecify.annotations.NullMarked;
