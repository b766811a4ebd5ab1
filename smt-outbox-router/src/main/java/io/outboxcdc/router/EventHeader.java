package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

/** A header for the new record; it takes the place of one of the same name that the record has. */
record EventHeader(
        String name, @Nullable Schema schema, @Nullable Object value) {

    /** The schema of every text that the router writes itself. */
    static final Schema TEXT = Schema.STRING_SCHEMA;

    static EventHeader text(String name, String value) {
        return new EventHeader(name, TEXT, value);
    }
}
