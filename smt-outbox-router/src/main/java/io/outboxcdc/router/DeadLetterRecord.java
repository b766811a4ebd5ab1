package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The record that stands for a row which makes no legal event. It can always be sent: its topic and time are legal, and
 * what would make it larger than {@code max.record.bytes} is left out, the payload first.
 *
 * @param keySchema the key column's, null without a key
 * @param key       the event's key; null when it has none, or one so large that it would not leave room for the rest
 * @param value     the row as one JSON text
 * @param headers   all headers of the record
 * @param complete  whether the value holds every column
 */
record DeadLetterRecord(
        @Nullable Schema keySchema, @Nullable Object key, String value, Headers headers, boolean complete) {

    private static final String OMITTED = "_omitted_bytes";

    /** Key and id may take this share of the record. */
    private static final int SHARE = 4;

    /** Leaving out a column takes about as many bytes as this to say so. */
    private static final int NOT_WORTH_LEAVING_OUT = 64;

    private static final int LONGEST_ID_IN_MESSAGE = 64;

    static DeadLetterRecord of(Verdict.DeadLetter letter, int maxBytes) {
        OutboxEvent event = letter.event();
        Object key = event.key();
        boolean withKey = key != null && !EventRules.isBlank(key) && RecordSize.of(key) <= share(maxBytes);
        Headers headers = headers(letter, maxBytes);
        long taken = RecordSize.of(headers) + (withKey ? RecordSize.of(key) : 0);
        Map<String, String> members = members(event, maxBytes - taken);
        return new DeadLetterRecord(
                withKey ? event.table().key().schema() : null,
                withKey ? key : null,
                render(members),
                headers,
                members.size() == event.table().all().size());
    }

    private static long share(int maxBytes) {
        return Math.max(maxBytes / SHARE, NOT_WORTH_LEAVING_OUT);
    }

    /** One sentence on what is wrong with which row. Names no value but the id, which is cut when it is long. */
    static String message(Verdict.DeadLetter letter) {
        String id = String.valueOf(letter.event().id());
        return letter.reason() + ": row "
                + (id.length() > LONGEST_ID_IN_MESSAGE ? id.substring(0, LONGEST_ID_IN_MESSAGE) + "..." : id)
                + (letter.event().isMessage()
                        ? " in a logical message"
                        : " of table " + letter.event().source().tableOrUnknown())
                + letter.column().map(column -> ", column " + column).orElse("") + ": " + letter.why() + ". "
                + letter.reason().remedy;
    }

    private static Headers headers(Verdict.DeadLetter letter, int maxBytes) {
        OutboxEvent event = letter.event();
        SourcePosition source = event.source();
        Headers headers = new ConnectHeaders();
        Object id = event.id();
        if (id != null && RecordSize.of(id) <= share(maxBytes)) {
            headers.add(HeaderNames.ID, id, event.table().id().schema());
        }
        headers.addString(HeaderNames.ERROR_REASON, letter.reason().name());
        headers.addString(HeaderNames.ERROR_MESSAGE, message(letter));
        letter.column().ifPresent(column -> headers.addString(HeaderNames.ERROR_COLUMN, column));
        source.lsn().ifPresent(lsn -> headers.addString(HeaderNames.SOURCE_LSN, lsn));
        source.transaction().ifPresent(transaction -> headers.addString(HeaderNames.SOURCE_TX, transaction));
        return headers;
    }

    private static Map<String, String> members(OutboxEvent event, long maxBytes) {
        Map<String, String> members = new LinkedHashMap<>();
        for (Column column : event.table().all()) {
            // Not even written out when it alone is too large: it may be huge.
            if (RecordSize.of(column.of(event.row())) > Math.max(maxBytes, NOT_WORTH_LEAVING_OUT)) {
                leaveOut(members, event, column);
            } else {
                members.put(column.name(), JsonText.of(column.of(event.row())));
            }
        }
        Comparator<Column> payloadFirst = Comparator.comparing(
                column -> !column.name().equals(event.table().payload().name()));
        List<Column> candidates = event.table().all().stream()
                .sorted(payloadFirst.thenComparing(
                        Comparator.comparingLong((Column column) -> RecordSize.of(column.of(event.row())))
                                .reversed()))
                .toList();
        for (Column column : candidates) {
            if (RecordSize.of(render(members)) <= maxBytes) {
                break;
            }
            if (RecordSize.of(column.of(event.row())) > NOT_WORTH_LEAVING_OUT) {
                leaveOut(members, event, column);
            }
        }
        return members;
    }

    private static void leaveOut(Map<String, String> members, OutboxEvent event, Column column) {
        members.put(column.name(), JsonText.of(null));
        members.put(column.name() + OMITTED, JsonText.of(RecordSize.of(column.of(event.row()))));
    }

    private static String render(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> JsonText.of(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
