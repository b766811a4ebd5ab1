/** What the pipeline promises, held against faults of real processes. */
@NullMarked
package io.outboxcdc.it.faults;

import org.jspecify.annotations.NullMarked;
