@NullMarked
package io.outboxcdc.monitor.alert;

import org.jspecify.annotations.NullMarked;
