package io.outboxcdc.router;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Any JSON object, written in any way, against the tree that Jackson makes of it. */
class HeadersJsonPropertyTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Property(tries = 500)
    void eachMemberHasTheTextOfItsNode(@ForAll("objects") ObjectNode object, @ForAll boolean pretty)
            throws JsonProcessingException {
        String text = pretty ? object.toPrettyString() : object.toString();
        Map<String, String> expected = new LinkedHashMap<>();
        object.properties().forEach(member -> {
            JsonNode value = member.getValue();
            if (!value.isNull()) {
                expected.put(member.getKey(), value.isTextual() ? value.textValue() : value.toString());
            }
        });

        HeadersJson.Result result = HeadersJson.read(text);

        assertThat(result).isEqualTo(HeadersJson.Members.of(expected));
    }

    @Property(tries = 500)
    void anyOtherTextIsRefusedOrAnObject(@ForAll String text) {
        HeadersJson.Result result = HeadersJson.read(text);

        boolean object;
        try {
            JsonNode tree = MAPPER.reader()
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(text);
            object = tree.isObject() || tree.isNull();
        } catch (JsonProcessingException e) {
            object = false;
        }
        assertThat(result instanceof HeadersJson.Members).isEqualTo(object);
    }

    @Provide
    Arbitrary<ObjectNode> objects() {
        return objectsOf(values(2));
    }

    private static Arbitrary<JsonNode> values(int depth) {
        Arbitrary<JsonNode> scalars = Arbitraries.oneOf(
                Arbitraries.strings()
                        .withChars("aü\"\\/ ,:[]{}\n\u0001€")
                        .ofMaxLength(8)
                        .map(NODES::textNode),
                Arbitraries.bigDecimals()
                        .between(new BigDecimal("-1e30"), new BigDecimal("1e30"))
                        .ofScale(4)
                        .map(DecimalNode::valueOf),
                Arbitraries.of(true, false).map(NODES::booleanNode),
                Arbitraries.just(NODES.nullNode()));
        if (depth == 0) {
            return scalars;
        }
        Arbitrary<JsonNode> nested = values(depth - 1);
        return Arbitraries.oneOf(
                scalars,
                objectsOf(nested).map(object -> object),
                nested.list().ofMaxSize(3).map(items -> NODES.arrayNode().addAll(items)));
    }

    private static Arbitrary<ObjectNode> objectsOf(Arbitrary<JsonNode> values) {
        return Arbitraries.maps(Arbitraries.strings().withChars("abü \"\\").ofMaxLength(4), values)
                .ofMaxSize(4)
                .map(members -> {
                    ObjectNode object = NODES.objectNode();
                    members.forEach(object::set);
                    return object;
                });
    }
}
