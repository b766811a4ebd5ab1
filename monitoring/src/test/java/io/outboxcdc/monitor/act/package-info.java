@NullMarked
package io.outboxcdc.monitor.act;

import org.jspecify.annotations.NullMarked;
