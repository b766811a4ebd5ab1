package io.outboxcdc.router;

import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Reads logical decoding messages with our prefix as rows of the outbox. Only transactional ones are events: another one
 * is sent even when its transaction rolls back. Thread-safe.
 *
 * @see <a href="https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-REPLICATION">
 *     pg_logical_emit_message</a>
 */
final class MessageReader {

    private static final String VALUE = "io.debezium.connector.postgresql.MessageValue";
    private static final String CONTENT = "content";

    /** Messages differ in the members that they leave out; more shapes than these come of extra members only. */
    private static final int SCHEMAS_KEPT = 256;

    private final String prefix;
    private final Settings.Columns columns;
    private final BoundedCache<List<MessageRow.Type>, Shape> shapes = new BoundedCache<>(SCHEMAS_KEPT);

    private record Shape(Schema schema, OutboxTable table) {}

    MessageReader(String prefix, Settings.Columns columns) {
        this.prefix = prefix;
        this.columns = columns;
    }

    static boolean isMessage(@Nullable Schema schema) {
        return schema != null && VALUE.equals(schema.name());
    }

    /** The event in a message, or why it is none; empty when the message has another prefix. */
    Optional<Change> read(Envelope envelope, Struct change) {
        Struct message = change.getStruct("message");
        if (message == null || !prefix.equals(message.getString("prefix"))) {
            return Optional.empty();
        }
        byte[] content = bytes(message.get(CONTENT));
        try {
            return Optional.of(row(content, envelope, change));
        } catch (InvalidMessageException e) {
            return Optional.of(new Change.Refused(new Verdict.DeadLetter(
                    unread(content, envelope, change), DeadLetterReason.MESSAGE_INVALID, Optional.empty(), e.why())));
        } catch (RuntimeException | StackOverflowError e) {
            return Optional.of(new Change.Refused(UnexpectedError.of(unread(content, envelope, change), e)));
        }
    }

    private Change row(byte[] content, Envelope envelope, Struct change) throws InvalidMessageException {
        String text = text(content).orElseThrow(() -> new InvalidMessageException("the message is no UTF-8"));
        MessageRow row = MessageRow.of(MessageMembers.of(text), columns);
        List<MessageRow.Type> types = row.types();
        Shape shape = shapes.get(types, all -> {
            String name =
                    envelope.connector(change).map(connector -> connector + ".").orElse("") + prefix + ".Value";
            Schema schema = MessageRow.schema(all, name);
            return new Shape(schema, OutboxTableReader.read(schema, columns, "of messages " + prefix));
        });
        OutboxEvent event = new OutboxEvent(shape.table, row.struct(shape.schema), envelope, change);
        if (event.source().transaction().isEmpty()) {
            return new Change.Refused(new Verdict.DeadLetter(
                    event,
                    DeadLetterReason.MESSAGE_NOT_TRANSACTIONAL,
                    Optional.empty(),
                    "the message was emitted outside a transaction"));
        }
        return event;
    }

    /** What cannot be read as a row is a row with the content as its only column. */
    private OutboxEvent unread(byte[] content, Envelope envelope, Struct change) {
        Optional<String> text = text(content);
        Schema schema = SchemaBuilder.struct()
                .field(CONTENT, text.isPresent() ? Schema.STRING_SCHEMA : Schema.BYTES_SCHEMA)
                .field("none", Schema.OPTIONAL_STRING_SCHEMA)
                .build();
        Column none = new Column(schema.field("none"));
        OutboxTable table = new OutboxTable(
                List.of(new Column(schema.field(CONTENT))),
                none,
                none,
                none,
                new Column(schema.field(CONTENT)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty());
        Object value = text.isPresent() ? text.get() : ByteBuffer.wrap(content);
        return new OutboxEvent(table, new Struct(schema).put(CONTENT, value), envelope, change);
    }

    private static byte[] bytes(@Nullable Object content) {
        if (content instanceof ByteBuffer buffer) {
            return Utils.toArray(buffer.duplicate());
        }
        if (content instanceof byte[] bytes) {
            return bytes;
        }
        throw new DataException("The content of a logical message comes as "
                + (content == null ? "NULL" : content.getClass().getName())
                + " and not as bytes. Set the connector's binary.handling.mode to bytes.");
    }

    private static Optional<String> text(byte[] content) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
