/** The one configuration file: every option declared once, all problems said at once. */
@NullMarked
package io.outboxcdc.relay.config;

import org.jspecify.annotations.NullMarked;
