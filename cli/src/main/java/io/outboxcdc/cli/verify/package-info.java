/** The check of a running pipeline: reads rows and records, and lets {@code io.outboxcdc.client.ledger} judge them. */
@NullMarked
package io.outboxcdc.cli.verify;

import org.jspecify.annotations.NullMarked;
