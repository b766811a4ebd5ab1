package io.outboxcdc.router;

/**
 * Why a row is a dead letter. The names are the codes in the header {@code outbox.error.reason}; readers rely on them, so
 * they are never renamed. The reference page is made from this enum.
 */
enum DeadLetterReason {
    ID_MISSING(
            "The id column is NULL or blank, so no consumer could tell a repeat from a new event.",
            "Give the column a primary key or a NOT NULL check, and write the event again with an id."),
    TYPE_MISSING(
            "The aggregate type is NULL or blank.",
            "Find the writer; add the checks of the supplied table. Write the event again with its aggregate type."),
    TYPE_NOT_ALLOWED(
            "The aggregate type is not in route.topic.allow.list.",
            "A typo: correct the writer. A new aggregate type: add it to the list and send the dead letters again."),
    TYPE_NOT_MATCHED(
            "The aggregate type does not match route.topic.regex as a whole.",
            "Correct the writer, or widen the expression and send the dead letters again."),
    TOPIC_ILLEGAL(
            "The topic made of the aggregate type is no legal Kafka topic name, or the type is '.' or '..'.",
            "Use letters, digits, '.', '_' and '-' in aggregate types; the whole topic has at most 249 characters."),
    TOPIC_RESERVED(
            "The topic made of the aggregate type is the dead-letter topic itself.",
            "Choose another dead.letter.topic or another aggregate type."),
    TOPIC_COLLIDES(
            "The topic made of the aggregate type differs from one in use only by '.' and '_', so Kafka refuses to make it.",
            "Use one of the two characters in aggregate types. The router knows the topics since its last start only;"
                    + " route.topic.allow.list keeps such types out always."),
    KEY_MISSING(
            "The key column is NULL or blank, so the event would lose its place among those of its aggregate.",
            "Find the writer; add the checks of the supplied table. Write the event again with its aggregate id."),
    PAYLOAD_MISSING(
            "The payload column is NULL, and route.tombstone.on.empty.payload is false.",
            "Write a payload in the INSERT itself (an UPDATE later is not seen), or switch tombstones on."),
    NOT_EXPRESSIBLE(
            "The payload is to be expanded, and no Connect schema expresses it exactly: it is no JSON document, or holds what"
                    + " would be lost, invented or rounded.",
            "Correct the writer, or leave table.expand.json.payload off: then every document arrives as it is."),
    HEADERS_NOT_JSON(
            "The headers column holds text that is no JSON document.",
            "Use jsonb for the column, or correct the writer."),
    HEADERS_NOT_OBJECT(
            "The headers column holds JSON that is neither an object nor null.",
            "Write an object such as {\"tenant\":\"a\"}."),
    PARTITION_INVALID(
            "The column that names the partition is negative or too large for a partition number.",
            "Write a partition number from 0, or NULL to leave the choice to the producer."),
    CLOUDEVENT_INVALID(
            "cloudevents.headers is on, and the row makes no legal CloudEvent: it has no event type, or a dataschema or"
                    + " datacontenttype that is none.",
            "Correct the writer. Where rows have no event type, name another column in table.field.event.type, such as that"
                    + " of the aggregate type."),
    RECORD_TOO_LARGE(
            "Key, value and headers together are larger than max.record.bytes.",
            "The row is whole in the outbox table. Send a reference in place of the content, or raise max.record.bytes"
                    + " together with the limits of producer, topic and broker."),
    MESSAGE_INVALID(
            "The logical message is no JSON object with the columns of an outbox.",
            "Emit messages with public.outbox_emit only, or change the other program's prefix. The dead letter's value holds"
                    + " the message as content."),
    MESSAGE_NOT_TRANSACTIONAL(
            "The logical message was emitted outside a transaction, so it would be published even if what it tells is rolled"
                    + " back.",
            "Call pg_logical_emit_message with true, as public.outbox_emit does."),
    UNEXPECTED_ERROR(
            "The router itself failed on the row: a fault of the router that no rule foresaw.",
            "Report outbox.error.message, which says where it failed. The row is whole here and in the outbox table; send it"
                    + " again after an upgrade.");

    final String meaning;
    final String remedy;

    DeadLetterReason(String meaning, String remedy) {
        this.meaning = meaning;
        this.remedy = remedy;
    }
}
