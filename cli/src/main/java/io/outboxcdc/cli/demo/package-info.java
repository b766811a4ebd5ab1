/** The demo: writers of orders on one side, a reader of their events on the other, a verdict at the end. */
@NullMarked
package io.outboxcdc.cli.demo;

import org.jspecify.annotations.NullMarked;
