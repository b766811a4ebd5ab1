package io.outboxcdc.router;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A JSON document in memory, as far as no plain class serves: text is a {@link String}, a truth value a {@link Boolean},
 * a number an {@link Integer}, {@link Long}, {@link Double} or {@link java.math.BigDecimal}, whichever is the first that
 * holds all its digits, and JSON's null is null.
 */
sealed interface JsonValue {

    /**
     * An object.
     *
     * @param values in the order of their names
     */
    record Members(List<String> names, List<@Nullable Object> values) implements JsonValue {

        /**
         * The value of a member; null also where there is no such member.
         *
         * @param expected where the member is in most objects
         */
        @Nullable
        Object get(String name, int expected) {
            int index = expected < names.size() && names.get(expected).equals(name) ? expected : names.indexOf(name);
            return index < 0 ? null : values.get(index);
        }
    }

    /** An array. */
    record Elements(List<@Nullable Object> values) implements JsonValue {}
}
