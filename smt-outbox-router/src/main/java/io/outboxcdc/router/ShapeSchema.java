package io.outboxcdc.router;

import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The Connect schema of a shape, and the way to make values of it. Types and names are the stock router's. */
sealed interface ShapeSchema {

    Schema schema();

    /** The value as Connect wants it for the schema. */
    Object connect(Object value);

    record Plain(Schema schema) implements ShapeSchema {

        @Override
        public Object connect(Object value) {
            if (value instanceof Number number) {
                return switch (schema.type()) {
                    case INT64 -> number.longValue();
                    case FLOAT64 -> number.doubleValue();
                    default -> number;
                };
            }
            return value;
        }
    }

    record Exact(Schema schema, int scale) implements ShapeSchema {

        @Override
        public Object connect(Object value) {
            // Zeros are appended, nothing is cut: the scale is the largest of all values.
            return ShapeFinder.exact((Number) value).setScale(scale);
        }
    }

    record Elements(Schema schema, ShapeSchema element) implements ShapeSchema {

        @Override
        public Object connect(Object value) {
            List<@Nullable Object> given = ((JsonValue.Elements) value).values();
            List<@Nullable Object> made = new ArrayList<>(given.size());
            for (Object one : given) {
                made.add(one == null ? null : element.connect(one));
            }
            return made;
        }
    }

    record Members(Schema schema, Map<String, Member> byName) implements ShapeSchema {

        record Member(Field field, ShapeSchema shape) {}

        @Override
        public Object connect(Object value) {
            JsonValue.Members given = (JsonValue.Members) value;
            Struct made = new Struct(schema);
            for (int i = 0; i < given.names().size(); i++) {
                Object one = given.values().get(i);
                if (one != null) {
                    Member member = byName.get(given.names().get(i));
                    // Left out of the schema by the options for nulls and empty arrays.
                    if (member != null) {
                        made.put(member.field, member.shape.connect(one));
                    }
                }
            }
            return made;
        }
    }

    /**
     * The schema of a shape, worked out.
     *
     * @param path  the name for objects, as the stock router builds it; null inside arrays of arrays
     * @param names what makes names legal
     */
    static ShapeSchema of(JsonShape shape, @Nullable String path, UnaryOperator<String> names)
            throws NotExpressibleException {
        if (shape instanceof JsonShape.Scalar scalar) {
            return new Plain(plain(scalar));
        }
        if (shape instanceof JsonShape.Decimals decimals) {
            return new Exact(Decimal.builder(decimals.scale()).optional().build(), decimals.scale());
        }
        if (shape instanceof JsonShape.Elements elements) {
            boolean arrays = elements.shape() instanceof JsonShape.Elements;
            ShapeSchema element = of(elements.shape(), arrays ? null : path, names);
            return new Elements(SchemaBuilder.array(element.schema()).optional().build(), element);
        }
        return members((JsonShape.Members) shape, path, names);
    }

    private static ShapeSchema members(JsonShape.Members shape, @Nullable String path, UnaryOperator<String> names)
            throws NotExpressibleException {
        SchemaBuilder builder = SchemaBuilder.struct().name(path).optional();
        Map<String, ShapeSchema> shapes = new HashMap<>();
        Map<String, String> adjusted = new HashMap<>();
        for (int i = 0; i < shape.names().size(); i++) {
            String name = shape.names().get(i);
            String field = names.apply(name);
            if (field.isEmpty()) {
                throw new NotExpressibleException(
                        "an object has a member without a name, and Connect has no such field");
            }
            if (builder.field(field) != null) {
                throw new NotExpressibleException("two members of an object have one name once "
                        + RouterOption.NAME_ADJUSTMENT.key + " has made their names legal");
            }
            ShapeSchema member =
                    of(shape.shapes().get(i), path == null || path.isBlank() ? field : path + "." + field, names);
            builder.field(field, member.schema());
            shapes.put(name, member);
            adjusted.put(name, field);
        }
        Schema schema = builder.build();
        Map<String, Members.Member> byName = new HashMap<>();
        shapes.forEach((name, member) ->
                byName.put(name, new Members.Member(schema.field(Objects.requireNonNull(adjusted.get(name))), member)));
        return new Members(schema, byName);
    }

    private static Schema plain(JsonShape.Scalar scalar) {
        return switch (scalar) {
            case TEXT -> Schema.OPTIONAL_STRING_SCHEMA;
            case TRUTH -> Schema.OPTIONAL_BOOLEAN_SCHEMA;
            case INT32 -> Schema.OPTIONAL_INT32_SCHEMA;
            case INT64 -> Schema.OPTIONAL_INT64_SCHEMA;
            case FLOAT64 -> Schema.OPTIONAL_FLOAT64_SCHEMA;
            case NULL -> Schema.OPTIONAL_BYTES_SCHEMA;
            case NOTHING -> Schema.OPTIONAL_STRING_SCHEMA;
        };
    }
}
