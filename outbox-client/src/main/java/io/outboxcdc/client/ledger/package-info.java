/**
 * Proof of delivery: what was committed, held against what a consumer saw. A {@link io.outboxcdc.client.ledger.Ledger} is
 * kept in memory while writers and consumers run; a {@link io.outboxcdc.client.ledger.Reconciliation} compares any number
 * of rows and records that are there already. Pure Java; knows neither Kafka nor JDBC.
 */
@NullMarked
package io.outboxcdc.client.ledger;

import org.jspecify.annotations.NullMarked;
