/**
 * Proof of delivery: what writers committed, held against what a consumer saw. Pure Java; knows neither Kafka nor JDBC.
 */
@NullMarked
package io.outboxcdc.client.ledger;

import org.jspecify.annotations.NullMarked;
