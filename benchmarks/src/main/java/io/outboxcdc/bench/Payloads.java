package io.outboxcdc.bench;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Contents of outbox rows, as PostgreSQL writes jsonb. */
final class Payloads {

    static final String SMALL = "{\"orderId\": \"O-4711\"}";

    /** 240 bytes. */
    static final String ORDER = "{\"orderId\": \"O-4711\", \"customer\": \"C-1234567\", \"currency\": \"EUR\","
            + " \"total\": 1234.50, \"lines\": [{\"sku\": \"A-100-200\", \"quantity\": 3, \"price\": 400.00},"
            + " {\"sku\": \"B-300-400\", \"quantity\": 1, \"price\": 34.50}], \"placedBy\": \"web-shop\"}";

    /** 64 kB of text in one string. */
    static final String LARGE = "{\"text\": \"" + "All work and no play makes an event. ".repeat(1_771) + "\"}";

    /** 4 kB: an order of 24 lines, each an object of texts, whole numbers and prices. */
    static final String DOCUMENT = IntStream.range(0, 24)
            .mapToObj(line -> ("{\"sku\": \"A-100-%d\", \"name\": \"Article %d of the autumn catalogue\","
                            + " \"quantity\": %d, \"price\": %d.5, \"gift\": %s, \"warehouse\":"
                            + " {\"id\": %d, \"city\": \"Berlin\"}}")
                    .formatted(line, line, line + 1, 10 + line, line % 2 == 0, 7_000_000_000L + line))
            .collect(Collectors.joining(
                    ", ",
                    "{\"orderId\": \"O-4711\", \"customer\": {\"id\": 1234567, \"name\": \"A. Customer\"}, \"lines\": [",
                    "], \"placedBy\": \"web-shop\"}"));

    static final String HEADERS = "{\"tenant\": \"acme\", \"attempt\": 1,"
            + " \"traceparent\": \"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}";

    private Payloads() {}
}
