@NullMarked
package io.outboxcdc.relay.config;

import org.jspecify.annotations.NullMarked;
