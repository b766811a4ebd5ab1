package io.outboxcdc.router;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Reads a JSON document so that no digit of a number and no member is lost. */
final class JsonReader {

    /** What comes after, converters above all, walks down documents by calling itself; the stack has to suffice. */
    static final int MAX_DEPTH = 500;

    /** Longer numbers take a time that grows with the square of their length. */
    static final int MAX_DIGITS = 10_000;

    private static final int DIGITS_OF_DOUBLE = 15;

    /** Up to here a list is searched as quickly as a set is built. */
    private static final int FEW_NAMES = 8;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(MAX_DIGITS)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNestingDepth(MAX_DEPTH)
                    .build())
            // Names that hash alike are no reason to refuse a document.
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private JsonReader() {}

    static @Nullable Object read(String text) throws NotExpressibleException {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new NotExpressibleException("the payload is blank and no JSON document");
            }
            Object document = value(parser);
            if (parser.nextToken() != null) {
                throw new NotExpressibleException("the payload goes on after the end of its JSON document, at"
                        + " character " + parser.currentTokenLocation().getCharOffset());
            }
            return document;
        } catch (StreamConstraintsException e) {
            throw new NotExpressibleException("the payload is nested deeper than " + MAX_DEPTH
                    + " levels or holds a number of more than " + MAX_DIGITS + " characters");
        } catch (JsonProcessingException e) {
            // The parser's own message quotes the text.
            throw new NotExpressibleException(
                    e.getLocation() == null
                            ? "the payload cannot be read as JSON"
                            : "the payload is no JSON from character "
                                    + e.getLocation().getCharOffset() + " on");
        } catch (IOException e) {
            throw new UncheckedIOException("Reading a payload from memory failed", e);
        }
    }

    private static @Nullable Object value(JsonParser parser) throws IOException, NotExpressibleException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> members(parser);
            case START_ARRAY -> elements(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT -> whole(parser);
            case VALUE_NUMBER_FLOAT -> decimal(parser.getText());
            default -> null;
        };
    }

    /** Plainly written, without zeros at the end, and with no more digits than any double gives back, which are 15. */
    private static boolean everyDoubleKeeps(String text) {
        int point = text.indexOf('.');
        boolean zeroAtEnd = text.charAt(text.length() - 1) == '0' && point != text.length() - 2;
        if (point < 0 || zeroAtEnd || text.length() > DIGITS_OF_DOUBLE) {
            return false;
        }
        return text.indexOf('e') < 0 && text.indexOf('E') < 0;
    }

    private static JsonValue.Members members(JsonParser parser) throws IOException, NotExpressibleException {
        List<String> names = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            names.add(parser.currentName());
            parser.nextToken();
            values.add(value(parser));
        }
        if (repeats(names)) {
            throw new NotExpressibleException("an object names a member twice");
        }
        return new JsonValue.Members(names, values);
    }

    private static boolean repeats(List<String> names) {
        if (names.size() > FEW_NAMES) {
            return new HashSet<>(names).size() < names.size();
        }
        for (int i = 1; i < names.size(); i++) {
            if (names.indexOf(names.get(i)) < i) {
                return true;
            }
        }
        return false;
    }

    private static JsonValue.Elements elements(JsonParser parser) throws IOException, NotExpressibleException {
        List<@Nullable Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(parser));
        }
        return new JsonValue.Elements(values);
    }

    private static Object whole(JsonParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT -> parser.getIntValue();
            case LONG -> parser.getLongValue();
            default -> new BigDecimal(parser.getText());
        };
    }

    /**
     * A double where writing it out gives all the digits back, such as 1.5, 0.1 and 7.0. It does not for 1.10, nor for more
     * than some sixteen digits.
     */
    private static Number decimal(String text) {
        if (everyDoubleKeeps(text)) {
            return Double.parseDouble(text);
        }
        BigDecimal exact = new BigDecimal(text);
        double approximately = Double.parseDouble(text);
        if (Double.isInfinite(approximately)) {
            return exact;
        }
        BigDecimal writtenOut = BigDecimal.valueOf(approximately);
        return writtenOut.compareTo(exact) == 0 && exact.scale() <= Math.max(writtenOut.scale(), 1)
                ? (Number) approximately
                : exact;
    }
}
