package io.outboxcdc.it.samples;

import java.math.BigDecimal;

/** What the samples write into {@code shop_order} and tell in an event. */
public record Order(String number, BigDecimal total) {}
