/** What the how-tos show, as code that is compiled and run. */
@NullMarked
package io.outboxcdc.it.samples;

import org.jspecify.annotations.NullMarked;
