package io.outboxcdc.client.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the router could only dead-letter, drop or bend, found before it is written. The rules are those of the table's
 * check (sql/15_event_rules.sql) and of the router; text that PostgreSQL cannot store is found too, since the driver would
 * put a question mark in place of half a surrogate pair and say nothing.
 */
final class EventChecks {

    /** Kafka allows 249 characters, of which "outbox.event." takes 13. */
    private static final int TYPE_LENGTH = 236;

    private static final Pattern LEGAL_TYPE = Pattern.compile("[a-zA-Z0-9._-]+");
    private static final Set<String> RESERVED_HEADERS = Set.of("id", "eventtype");
    private static final Set<String> RESERVED_PREFIXES = Set.of("outbox.", "__debezium.");
    private static final Pattern LONE_SURROGATE = Pattern.compile("\\p{Cs}");

    private final int maxRecordBytes;

    EventChecks(int maxRecordBytes) {
        this.maxRecordBytes = maxRecordBytes;
    }

    /** All that is wrong with a row; empty when it can be published. */
    List<String> problems(OutboxRow row) {
        List<String> problems = new ArrayList<>();
        aggregateType(row.aggregateType()).ifPresent(problems::add);
        if (row.aggregateId().isBlank()) {
            problems.add("the aggregate id is blank; it is the key, which keeps the aggregate's events in order");
        }
        text("the aggregate id", row.aggregateId()).ifPresent(problems::add);
        row.eventType().flatMap(type -> text("the event type", type)).ifPresent(problems::add);
        if (row.eventType().filter(String::isBlank).isPresent()) {
            problems.add("the event type is blank; give one or none");
        }
        row.payloadText().flatMap(text -> text("the payload", text)).ifPresent(problems::add);
        row.headers().forEach((name, value) -> header(name, value).ifPresent(problems::add));
        long size = row.estimatedBytes();
        if (size > maxRecordBytes) {
            problems.add("key, payload and headers take about " + size + " bytes and a record may have "
                    + maxRecordBytes + "; store what is large elsewhere and send a reference to it");
        }
        return problems;
    }

    private static Optional<String> aggregateType(String type) {
        if (type.length() > TYPE_LENGTH) {
            return Optional.of("the aggregate type has " + type.length() + " characters and a topic name has room for "
                    + TYPE_LENGTH);
        }
        if (!LEGAL_TYPE.matcher(type).matches() || type.equals(".") || type.equals("..")) {
            return Optional.of(
                    "the aggregate type '" + type + "' makes no topic name; accepted are letters a-z and A-Z,"
                            + " digits, '.', '_' and '-', but not '.' or '..' alone");
        }
        return Optional.empty();
    }

    private static Optional<String> header(String name, Object value) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        if (name.isEmpty()) {
            return Optional.of("a header has no name");
        }
        if (RESERVED_HEADERS.contains(lowerCase) || RESERVED_PREFIXES.stream().anyMatch(lowerCase::startsWith)) {
            return Optional.of("the header name '" + name + "' is reserved (id, eventType, outbox.*, __debezium.*)");
        }
        boolean number = value instanceof Number;
        boolean finite = !(number && Double.isNaN(((Number) value).doubleValue()))
                && !(value instanceof Double decimal && decimal.isInfinite())
                && !(value instanceof Float decimal && decimal.isInfinite());
        if (!(number || value instanceof Boolean || value instanceof CharSequence) || !finite) {
            return Optional.of("the header '" + name + "' is a "
                    + value.getClass().getSimpleName() + "; accepted are text, finite numbers and booleans");
        }
        return text("the header name", name).or(() -> text("the header '" + name + "'", value.toString()));
    }

    private static Optional<String> text(String what, String text) {
        if (text.indexOf('\0') >= 0) {
            return Optional.of(what + " contains the character U+0000, which PostgreSQL cannot store");
        }
        if (LONE_SURROGATE.matcher(text).find()) {
            return Optional.of(what + " contains half of a surrogate pair, which is no character; was it cut?");
        }
        return Optional.empty();
    }
}
