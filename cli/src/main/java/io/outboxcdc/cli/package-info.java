/** The command line. Reads arguments, calls the modules below it, prints; depends on all of them, none on it. */
@NullMarked
package io.outboxcdc.cli;

import org.jspecify.annotations.NullMarked;
