package io.outboxcdc.client.outbox;

import com.fasterxml.uuid.Generators;
import org.jspecify.annotations.Nullable;

import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Builds an {@link Outbox}. Not thread-safe. */
public final class OutboxBuilder {

    /** The router's {@code max.record.bytes}. */
    private static final int MAX_RECORD_BYTES = 1_000_000;

    private static final Pattern TABLE = Pattern.compile("([a-z_][a-z0-9_]*\\.)?[a-z_][a-z0-9_]*");
    private static final JsonWriter NO_JSON = object -> {
        throw new IllegalStateException(
                "A payload was given as a " + object.getClass().getName()
                        + " and there is no JSON writer: Jackson is not on the class path. Give one by"
                        + " Outbox.builder().json(...), or the payload as ready-made text.");
    };

    private String table = "public.outbox";
    private @Nullable Supplier<UUID> ids;
    private @Nullable TraceContext trace;
    private @Nullable JsonWriter json;
    private int maxRecordBytes = MAX_RECORD_BYTES;

    OutboxBuilder() {}

    /**
     * The table, with or without its schema; {@code public.outbox} if not said.
     *
     * @throws IllegalArgumentException when it is not a plain name in lower case
     */
    public OutboxBuilder table(String name) {
        if (!TABLE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The table '" + name + "' is no plain name. Give it as table or schema.table, in lower case.");
        }
        table = name;
        return this;
    }

    /** Where ids come from that an event does not bring along; UUIDv7 (RFC 9562), rising within a process, if not said. */
    public OutboxBuilder ids(Supplier<UUID> generator) {
        ids = generator;
        return this;
    }

    /** Where the current trace is; {@link TraceContext#detect()} if not said. */
    public OutboxBuilder traceContext(TraceContext context) {
        trace = context;
        return this;
    }

    /** Who writes payload objects as JSON; Jackson, if it is there and nothing is said. */
    public OutboxBuilder json(JsonWriter writer) {
        json = writer;
        return this;
    }

    /**
     * How large a record may be, in bytes of key, value and headers; the router's {@code max.record.bytes}, 1,000,000, if
     * not said. What is checked is an estimate within a few bytes, since {@code jsonb} writes numbers and escapes anew.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public OutboxBuilder maxRecordBytes(int bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("maxRecordBytes is " + bytes + "; it must be positive.");
        }
        maxRecordBytes = bytes;
        return this;
    }

    /** The outbox as described. */
    public Outbox build() {
        EventRows rows = new EventRows(
                ids == null ? Generators.timeBasedEpochGenerator()::generate : ids,
                trace == null ? TraceContext.detect() : trace,
                json == null ? defaultJson() : json,
                new EventChecks(maxRecordBytes));
        return new Outbox(table, rows);
    }

    private static JsonWriter defaultJson() {
        return JacksonJson.isPresent() ? new JacksonJson() : NO_JSON;
    }
}
