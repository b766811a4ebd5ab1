package io.outboxcdc.router;

import java.util.List;

/** What a JSON document is made of, without its values: documents of one shape have one schema. */
sealed interface JsonShape {

    enum Scalar implements JsonShape {
        TEXT,
        TRUTH,
        INT32,
        INT64,
        FLOAT64,
        /** Nothing but JSON's null. */
        NULL,
        /** The elements of an array that has none. */
        NOTHING
    }

    /** Numbers that no other type holds with all their digits. */
    record Decimals(int scale) implements JsonShape {}

    record Elements(JsonShape shape) implements JsonShape {}

    record Members(List<String> names, List<JsonShape> shapes) implements JsonShape {}
}
