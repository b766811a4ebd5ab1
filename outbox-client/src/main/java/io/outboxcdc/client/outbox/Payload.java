package io.outboxcdc.client.outbox;

/** What an event says, as the application has it. The kind must fit the type of the column {@code payload}. */
public sealed interface Payload {

    /** No payload: SQL NULL, a tombstone. Only an outbox with {@code outbox.allow_null_payload = on} takes it. */
    Payload NONE = new None();

    /**
     * An object that the outbox's {@link JsonWriter} turns into JSON.
     *
     * @param object never null; JSON null is {@code new Text("null")}
     */
    record Value(Object object) implements Payload {}

    /** Ready-made text: JSON for a column of type {@code jsonb} or {@code json}, anything for {@code text}. */
    record Text(String text) implements Payload {}

    /** For a column of bytes. Not copied, so do not change the array before it is appended. */
    @SuppressWarnings("ArrayRecordComponent") // a value that is handed on, never compared
    record Bytes(byte[] bytes) implements Payload {}

    /** See {@link #NONE}. */
    record None() implements Payload {}
}
