package io.outboxcdc.client.outbox;

/**
 * Turns a payload object into JSON, with whatever library the application has: {@code mapper::writeValueAsString},
 * {@code gson::toJson}.
 */
@FunctionalInterface
public interface JsonWriter {

    /** Returns the JSON text of an object. */
    String write(Object object) throws Exception;
}
