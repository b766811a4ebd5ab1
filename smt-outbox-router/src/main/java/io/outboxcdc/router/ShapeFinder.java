package io.outboxcdc.router;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the shape of a document. All elements of an array have one shape in Connect, so it has to fit each of them with
 * nothing lost, invented or rounded.
 *
 * @param missingIsNull     whether a missing member need not be told from one that is null
 * @param ignoreNulls       whether members that are null are left out
 * @param ignoreEmptyArrays whether members that are empty arrays are left out
 */
record ShapeFinder(boolean missingIsNull, boolean ignoreNulls, boolean ignoreEmptyArrays) {

    JsonShape of(@Nullable Object value) throws NotExpressibleException {
        if (value instanceof JsonValue.Members members) {
            return members(members);
        }
        if (value instanceof JsonValue.Elements elements) {
            return new JsonShape.Elements(ofAll(elements.values()));
        }
        return scalar(value);
    }

    private JsonShape members(JsonValue.Members members) throws NotExpressibleException {
        int size = members.names().size();
        List<String> names = new ArrayList<>(size);
        List<JsonShape> shapes = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            add(members.names().get(i), of(members.values().get(i)), names, shapes);
        }
        return new JsonShape.Members(names, shapes);
    }

    private void add(String name, JsonShape shape, List<String> names, List<JsonShape> shapes) {
        boolean leftOut = (ignoreNulls && shape == JsonShape.Scalar.NULL)
                || (ignoreEmptyArrays
                        && shape instanceof JsonShape.Elements elements
                        && elements.shape() == JsonShape.Scalar.NOTHING);
        if (!leftOut) {
            names.add(name);
            shapes.add(shape);
        }
    }

    /** The one shape of several values, where null fits into each. */
    private JsonShape ofAll(List<@Nullable Object> values) throws NotExpressibleException {
        Object first = null;
        for (Object value : values) {
            if (value == null) {
                continue;
            }
            if (first == null) {
                first = value;
            } else if (kind(first) != kind(value)) {
                throw new NotExpressibleException("an array holds values of different types");
            }
        }
        if (first == null) {
            return values.isEmpty() ? JsonShape.Scalar.NOTHING : JsonShape.Scalar.NULL;
        }
        if (first instanceof JsonValue.Members) {
            return membersOfAll(values);
        }
        if (first instanceof JsonValue.Elements) {
            List<@Nullable Object> all = new ArrayList<>();
            for (Object value : values) {
                if (value instanceof JsonValue.Elements elements) {
                    all.addAll(elements.values());
                }
            }
            return new JsonShape.Elements(ofAll(all));
        }
        return first instanceof Number ? numbers(values) : scalar(first);
    }

    private JsonShape membersOfAll(List<@Nullable Object> values) throws NotExpressibleException {
        Collection<String> all = namesOfAll(values);
        List<String> names = new ArrayList<>(all.size());
        List<JsonShape> shapes = new ArrayList<>(all.size());
        int index = 0;
        for (String name : all) {
            List<@Nullable Object> samples = new ArrayList<>(values.size());
            for (Object value : values) {
                if (value instanceof JsonValue.Members members) {
                    samples.add(members.get(name, index));
                }
            }
            index++;
            add(name, ofAll(samples), names, shapes);
        }
        return new JsonShape.Members(names, shapes);
    }

    private Collection<String> namesOfAll(List<@Nullable Object> values) throws NotExpressibleException {
        List<String> first = null;
        Set<String> all = Set.of();
        for (Object value : values) {
            if (!(value instanceof JsonValue.Members members) || members.names().equals(first)) {
                continue;
            }
            if (first == null) {
                first = members.names();
                all = new LinkedHashSet<>(first);
            } else if ((all.addAll(members.names())
                            || all.size() > members.names().size())
                    && !missingIsNull) {
                throw new NotExpressibleException(
                        "the objects of an array differ in their members, and Connect does not"
                                + " tell a missing member from one that is null; where that is no matter, set "
                                + RouterOption.NULL_MEMBERS.key);
            }
        }
        return all;
    }

    /** The narrowest type for all: zeros may be appended to a number, but none of its digits may go. */
    private static JsonShape numbers(List<@Nullable Object> values) throws NotExpressibleException {
        boolean longs = false;
        boolean doubles = false;
        boolean decimals = false;
        boolean pastDouble = false;
        for (Object value : values) {
            doubles |= value instanceof Double;
            decimals |= value instanceof BigDecimal;
            if (value instanceof Long number) {
                longs = true;
                pastDouble |= BigDecimal.valueOf(number.doubleValue()).compareTo(BigDecimal.valueOf(number)) != 0;
            }
        }
        if (decimals || (doubles && pastDouble)) {
            int scale = 0;
            for (Object value : values) {
                if (value instanceof Number number) {
                    scale = Math.max(scale, scale(exact(number)));
                }
            }
            return new JsonShape.Decimals(scale);
        }
        if (doubles) {
            return JsonShape.Scalar.FLOAT64;
        }
        return longs ? JsonShape.Scalar.INT64 : JsonShape.Scalar.INT32;
    }

    private static JsonShape scalar(@Nullable Object value) throws NotExpressibleException {
        if (value == null) {
            return JsonShape.Scalar.NULL;
        }
        if (value instanceof String) {
            return JsonShape.Scalar.TEXT;
        }
        if (value instanceof Boolean) {
            return JsonShape.Scalar.TRUTH;
        }
        if (value instanceof BigDecimal number) {
            return new JsonShape.Decimals(scale(number));
        }
        if (value instanceof Double) {
            return JsonShape.Scalar.FLOAT64;
        }
        return value instanceof Long ? JsonShape.Scalar.INT64 : JsonShape.Scalar.INT32;
    }

    static BigDecimal exact(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        return number instanceof Double floating
                ? BigDecimal.valueOf(floating)
                : BigDecimal.valueOf(number.longValue());
    }

    /** Never negative: Avro knows no such scale. */
    private static int scale(BigDecimal number) throws NotExpressibleException {
        long digits = Math.max(number.precision(), (long) number.precision() - number.scale());
        if (digits > JsonReader.MAX_DIGITS || number.scale() > JsonReader.MAX_DIGITS) {
            throw new NotExpressibleException(
                    "a number has more than " + JsonReader.MAX_DIGITS + " digits when it is written out");
        }
        return Math.max(number.scale(), 0);
    }

    private static Class<?> kind(Object value) {
        return value instanceof Number ? Number.class : value.getClass();
    }
}
