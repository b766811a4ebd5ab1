@NullMarked
package io.outboxcdc.monitor.serve;

import org.jspecify.annotations.NullMarked;
