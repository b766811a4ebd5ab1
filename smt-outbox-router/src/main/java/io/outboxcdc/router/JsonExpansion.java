package io.outboxcdc.router;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

import java.util.function.UnaryOperator;

/**
 * Turns a JSON text into structured data with a schema, for converters that need one. What a Connect schema cannot
 * express exactly is refused, never bent. Schemas are remembered by shape. Thread-safe.
 */
final class JsonExpansion {

    /** A stream has few shapes; where each document has its own, remembering them is no use. */
    static final int SHAPES_KEPT = 1_000;

    /** What {@code JsonConverter} writes for a field of a schema besides its name, such as type, commas and quotes. */
    private static final int BYTES_OF_FIELD = 64;

    private final ShapeFinder shapes;
    private final String rootName;
    private final UnaryOperator<String> names;
    private final BoundedCache<JsonShape, Known> known = new BoundedCache<>(SHAPES_KEPT);

    private record Known(ShapeSchema schema, long bytes) {}

    /** @param schemaBytes roughly what the schema takes where a converter writes it beside each value */
    record Expanded(Schema schema, Object value, long schemaBytes) {}

    /**
     * @param rootName the name of the outermost object's schema
     * @param names    what makes members' names legal
     */
    JsonExpansion(ShapeFinder shapes, String rootName, UnaryOperator<String> names) {
        this.shapes = shapes;
        this.rootName = rootName;
        this.names = names;
    }

    Expanded expand(String text) throws NotExpressibleException {
        Object document = JsonReader.read(text);
        if (document == null) {
            throw new NotExpressibleException(
                    "the payload is JSON's null, which many converters would turn into a tombstone");
        }
        JsonShape shape = shapes.of(document);
        Known made = known.find(shape);
        if (made == null) {
            ShapeSchema schema = ShapeSchema.of(shape, rootName, names);
            made = new Known(schema, bytes(schema.schema()));
            known.put(shape, made);
        }
        return new Expanded(made.schema.schema(), made.schema.connect(document), made.bytes);
    }

    int remembered() {
        return known.size();
    }

    private static long bytes(@Nullable Schema schema) {
        if (schema == null) {
            return 0;
        }
        return switch (schema.type()) {
            case STRUCT -> {
                long bytes = BYTES_OF_FIELD + RecordSize.of(schema.name());
                for (Field field : schema.fields()) {
                    bytes += RecordSize.of(field.name()) + bytes(field.schema());
                }
                yield bytes;
            }
            case ARRAY -> BYTES_OF_FIELD + bytes(schema.valueSchema());
            default -> BYTES_OF_FIELD;
        };
    }
}
