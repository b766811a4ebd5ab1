package io.outboxcdc.router;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the headers column: a JSON object whose members become header texts. Nothing goes through a number type or a
 * tree, so each value keeps the text that the database holds.
 */
final class HeadersJson {

    /** PostgreSQL has accepted the document, so no limit but its own counts; the record's size is checked later. */
    static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .build())
            // Each row may bring new names; a table of them would grow, and refuses names that hash alike.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    sealed interface Result {}

    /** The members in their order, nulls left out; of two with one name the last counts, as in jsonb. */
    record Members(List<EventHeader> texts) implements Result {

        static Members of(Map<String, String> byName) {
            return new Members(byName.entrySet().stream()
                    .map(member -> new EventHeader(member.getKey(), member.getValue()))
                    .toList());
        }
    }

    record Refused(DeadLetterReason reason, String why) implements Result {}

    static final Members NO_MEMBERS = new Members(List.of());

    private HeadersJson() {}

    static Result read(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                Members members = Members.of(members(parser, text));
                return parser.nextToken() == null ? members : notJson(parser);
            }
            if (first == null) {
                return new Refused(DeadLetterReason.HEADERS_NOT_JSON, "the headers are an empty text");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                return notJson(parser);
            }
            return first == JsonToken.VALUE_NULL
                    ? NO_MEMBERS
                    : new Refused(DeadLetterReason.HEADERS_NOT_OBJECT, "the headers are no JSON object");
        } catch (JsonProcessingException e) {
            // The parser's own message quotes the text.
            JsonLocation where = e.getLocation();
            return new Refused(
                    DeadLetterReason.HEADERS_NOT_JSON,
                    where == null
                            ? "the headers cannot be read as JSON"
                            : "the headers are no JSON from character " + where.getCharOffset() + " on");
        } catch (IOException e) {
            throw new UncheckedIOException("Reading headers from memory failed", e);
        }
    }

    private static Map<String, String> members(JsonParser parser, String text) throws IOException {
        Map<String, String> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_NULL) {
                members.remove(name);
            } else if (value.isStructStart()) {
                int start = (int) parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                int end = (int) parser.currentTokenLocation().getCharOffset() + 1;
                members.put(name, compact(text, start, end));
            } else {
                members.put(name, parser.getText());
            }
        }
        return members;
    }

    /** The document without the blanks between its tokens; the tokens themselves stay as they are written. */
    private static String compact(String text, int start, int end) {
        StringBuilder compact = new StringBuilder(end - start);
        boolean quoted = false;
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                compact.append(c).append(text.charAt(++i));
                continue;
            }
            if (c == '"') {
                quoted = !quoted;
            }
            if (quoted || c > ' ') {
                compact.append(c);
            }
        }
        return compact.toString();
    }

    private static Refused notJson(JsonParser parser) {
        return new Refused(
                DeadLetterReason.HEADERS_NOT_JSON,
                "the headers go on after the end of their JSON document, at character "
                        + parser.currentTokenLocation().getCharOffset());
    }
}
