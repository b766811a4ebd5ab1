package io.outboxcdc.bench;

/** Contents of outbox rows, as PostgreSQL writes jsonb. */
final class Payloads {

    static final String SMALL = "{\"orderId\": \"O-4711\"}";

    /** 240 bytes. */
    static final String ORDER = "{\"orderId\": \"O-4711\", \"customer\": \"C-1234567\", \"currency\": \"EUR\","
            + " \"total\": 1234.50, \"lines\": [{\"sku\": \"A-100-200\", \"quantity\": 3, \"price\": 400.00},"
            + " {\"sku\": \"B-300-400\", \"quantity\": 1, \"price\": 34.50}], \"placedBy\": \"web-shop\"}";

    /** 64 kB of text in one string. */
    static final String LARGE = "{\"text\": \"" + "All work and no play makes an event. ".repeat(1_771) + "\"}";

    static final String HEADERS = "{\"tenant\": \"acme\", \"attempt\": 1,"
            + " \"traceparent\": \"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}";

    private Payloads() {}
}
