package io.outboxcdc.router;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Cuts the JSON object of a logical message into its members; a value's own text stays as it is written. */
final class MessageMembers {

    /**
     * A member's value.
     *
     * @param raw  the slice of JSON text
     * @param text what a string says, or the text of a number or truth value; null for JSON's null, objects and arrays
     */
    record Value(JsonToken token, String raw, @Nullable String text) {

        boolean isNull() {
            return token == JsonToken.VALUE_NULL;
        }

        boolean isString() {
            return token == JsonToken.VALUE_STRING;
        }
    }

    private MessageMembers() {}

    /** @throws InvalidMessageException if the text is not one JSON object that names each member once */
    static Map<String, Value> of(String text) throws InvalidMessageException {
        try (JsonParser parser = HeadersJson.JSON.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidMessageException("the message is no JSON object");
            }
            Map<String, Value> members = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (members.put(name, value(parser, text)) != null) {
                    throw new InvalidMessageException("the message names a member twice");
                }
            }
            if (parser.nextToken() != null) {
                throw new InvalidMessageException("the message goes on after the end of its JSON object");
            }
            return members;
        } catch (JsonProcessingException e) {
            // The parser's own message quotes the text.
            throw new InvalidMessageException(
                    e.getLocation() == null
                            ? "the message cannot be read as JSON"
                            : "the message is no JSON from character "
                                    + e.getLocation().getCharOffset() + " on");
        } catch (IOException e) {
            throw new UncheckedIOException("Reading a message from memory failed", e);
        }
    }

    private static Value value(JsonParser parser, String json) throws IOException {
        JsonToken token = parser.currentToken();
        int start = (int) parser.currentTokenLocation().getCharOffset();
        if (token.isStructStart()) {
            parser.skipChildren();
            int end = (int) parser.currentTokenLocation().getCharOffset() + 1;
            return new Value(token, json.substring(start, end), null);
        }
        String text = parser.getText();
        if (token == JsonToken.VALUE_STRING) {
            int end = (int) parser.currentLocation().getCharOffset();
            return new Value(token, json.substring(start, end), text);
        }
        return new Value(token, text, token == JsonToken.VALUE_NULL ? null : text);
    }
}
