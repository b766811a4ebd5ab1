@NullMarked
package io.outboxcdc.relay.core;

import org.jspecify.annotations.NullMarked;
