package io.outboxcdc.router;

import com.fasterxml.jackson.core.JsonToken;
import io.debezium.data.Json;
import io.debezium.data.Uuid;
import io.debezium.time.ZonedTimestamp;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes of a message's members the row that the connector would have delivered: columns have the types of the supplied
 * table. A member that is missing is NULL. Pure; one for each message.
 */
final class MessageRow {

    private static final String TEXT = "_text";
    private static final String BASE64 = "_base64";

    private static final Schema ID = Uuid.schema();
    private static final Schema JSON = Json.builder().optional().build();
    private static final Schema TIME = ZonedTimestamp.builder().optional().build();

    /** PostgreSQL breaks its lines. */
    private static final Pattern LINE_BREAK = Pattern.compile("[\r\n]");

    private final Map<String, MessageMembers.Value> members;
    private final Set<String> taken = new HashSet<>();
    private final List<Cell> cells = new ArrayList<>();

    /** A column of the row; rows of the same columns share a schema. */
    record Type(String name, Schema schema) {}

    private record Cell(Type type, @Nullable Object value) {}

    private MessageRow(Map<String, MessageMembers.Value> members) {
        this.members = members;
    }

    /** @throws InvalidMessageException if a member has a type that its column cannot have */
    static MessageRow of(Map<String, MessageMembers.Value> members, Settings.Columns columns)
            throws InvalidMessageException {
        MessageRow row = new MessageRow(members);
        row.text(List.of(columns.id()), ID);
        row.text(columns.aggregateType(), Schema.STRING_SCHEMA);
        row.text(columns.key(), Schema.STRING_SCHEMA);
        if (!columns.eventType().isEmpty()) {
            row.text(columns.eventType(), Schema.OPTIONAL_STRING_SCHEMA);
        }
        row.payload(columns.payload());
        if (columns.headers().isPresent()) {
            row.json(columns.headers().get());
        }
        if (columns.timestamp().isPresent()) {
            row.text(List.of(columns.timestamp().get()), TIME);
        }
        if (columns.schemaVersion().isPresent()) {
            row.whole(columns.schemaVersion().get(), Schema.OPTIONAL_INT32_SCHEMA);
        }
        for (Placement placement : columns.placed()) {
            if (placement.target() == Placement.Target.PARTITION) {
                row.whole(placement.column(), Schema.OPTIONAL_INT64_SCHEMA);
            } else if (!members.containsKey(placement.column())
                    && !row.taken.contains(placement.column())
                    && !columns.ignoreMissing()) {
                throw new InvalidMessageException(
                        "the message has no member for a column that " + RouterOption.PLACEMENTS.key + " names");
            }
        }
        for (String name : members.keySet()) {
            row.other(name);
        }
        return row;
    }

    List<Type> types() {
        return cells.stream().map(Cell::type).toList();
    }

    static Schema schema(List<Type> types, String name) {
        SchemaBuilder builder = SchemaBuilder.struct().name(name);
        types.forEach(type -> builder.field(type.name, type.schema));
        return builder.build();
    }

    /** NULL is left as it is: put in, it would be refused where the supplied table has NOT NULL. */
    Struct struct(Schema schema) {
        Struct struct = new Struct(schema);
        for (Cell cell : cells) {
            if (cell.value != null) {
                struct.put(cell.type.name, cell.value);
            }
        }
        return struct;
    }

    private void text(List<String> spellings, Schema schema) throws InvalidMessageException {
        String name =
                spellings.stream().filter(members::containsKey).findFirst().orElse(spellings.get(spellings.size() - 1));
        MessageMembers.Value value = members.get(name);
        if (value != null && value.token().isStructStart()) {
            throw new InvalidMessageException("a member that has to be text is an object or an array");
        }
        add(name, schema, value == null ? null : value.text());
    }

    private void json(String name) {
        MessageMembers.Value value = members.get(name);
        add(name, JSON, value == null || value.isNull() ? null : value.raw());
    }

    private void payload(String name) throws InvalidMessageException {
        MessageMembers.Value raw = members.get(name);
        MessageMembers.Value text = members.get(name + TEXT);
        MessageMembers.Value base64 = members.get(name + BASE64);
        if ((raw == null ? 0 : 1) + (text == null ? 0 : 1) + (base64 == null ? 0 : 1) > 1) {
            throw new InvalidMessageException("the message has more than one payload");
        }
        taken.add(name + TEXT);
        taken.add(name + BASE64);
        if (text != null) {
            add(name, Schema.OPTIONAL_STRING_SCHEMA, string(text));
        } else if (base64 != null) {
            String encoded = string(base64);
            add(name, Schema.OPTIONAL_BYTES_SCHEMA, encoded == null ? null : decoded(encoded));
        } else {
            // JSON's null is a document like any other; no payload at all is NULL.
            add(name, JSON, raw == null ? null : raw.raw());
        }
    }

    private static @Nullable String string(MessageMembers.Value value) throws InvalidMessageException {
        if (!value.isString() && !value.isNull()) {
            throw new InvalidMessageException("a payload of text or base64 is no JSON string");
        }
        return value.text();
    }

    private static ByteBuffer decoded(String base64) throws InvalidMessageException {
        try {
            return ByteBuffer.wrap(
                    Base64.getDecoder().decode(LINE_BREAK.matcher(base64).replaceAll("")));
        } catch (IllegalArgumentException e) {
            throw new InvalidMessageException("the payload is no base64");
        }
    }

    private void whole(String name, Schema schema) throws InvalidMessageException {
        MessageMembers.Value value = members.get(name);
        if (value == null || value.isNull()) {
            add(name, schema, null);
            return;
        }
        Long number = number(value);
        boolean narrow = schema.type() == Schema.Type.INT32;
        if (number == null || (narrow && number != number.intValue())) {
            throw new InvalidMessageException("a member that has to be a whole number is none");
        }
        add(name, schema, narrow ? (Object) number.intValue() : number);
    }

    private static @Nullable Long number(MessageMembers.Value value) {
        if (value.token() != JsonToken.VALUE_NUMBER_INT) {
            return null;
        }
        try {
            return Long.valueOf(value.raw());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** A column without a meaning of its own has the type that its value shows. */
    private void other(String name) {
        MessageMembers.Value value = members.get(name);
        if (value == null || taken.contains(name)) {
            return;
        }
        Long number = number(value);
        if (number != null) {
            add(name, Schema.OPTIONAL_INT64_SCHEMA, number);
        } else if (value.token().isBoolean()) {
            add(name, Schema.OPTIONAL_BOOLEAN_SCHEMA, value.token() == JsonToken.VALUE_TRUE);
        } else if (value.token().isStructStart()) {
            add(name, JSON, value.raw());
        } else {
            add(name, Schema.OPTIONAL_STRING_SCHEMA, value.text());
        }
    }

    private void add(String name, Schema schema, @Nullable Object value) {
        if (taken.add(name)) {
            cells.add(new Cell(new Type(name, schema), value));
        }
    }
}
