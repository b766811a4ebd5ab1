package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;

/** A header that a row asks for. */
record EventHeader(String name, String text) {

    /** The schema of every text that the router writes itself. */
    static final Schema TEXT = Schema.STRING_SCHEMA;
}
