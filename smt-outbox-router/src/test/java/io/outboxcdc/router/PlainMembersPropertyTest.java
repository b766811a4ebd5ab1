package io.outboxcdc.router;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/** The quick way to read headers, with the parser as the oracle. What would break: headers that depend on the way. */
class PlainMembersPropertyTest {

    @Property(tries = 5_000)
    void whatIsReadTheQuickWayIsWhatTheParserReads(
            @ForAll("documents") String text, @ForAll("expected") List<String> expected) {
        List<EventHeader> plain = PlainMembers.read(text, expected);

        Statistics.label("read the quick way").collect(plain != null);
        if (plain != null) {
            assertThat(HeadersJson.read(text)).isEqualTo(new HeadersJson.Members(plain));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " {\"a\": \"b\"}\n",
                "{\"zero\":0,\"one\":1,\"half\":-0.5,\"large\":90210,\"b\":false,\"text\":\"a b\"}",
                "{\"tenant\":\"acme\",\"n\":-10.50,\"b\":true,\"none\":null,\"ü\":\"€\",\"null\":\"null\"}"
            })
    void theUsualFormIsReadTheQuickWay(String text) {
        assertThat(PlainMembers.read(text, List.of())).isNotNull();
    }

    /** Most rows bear the names of the row before. */
    @Test
    void ofNamesThatComeAgainNoNewTextIsMade() {
        List<String> expected = List.of("tenant", "n");

        List<EventHeader> again = members("{\"tenant\": \"a\", \"n\": 1}", expected);
        List<EventHeader> others = members("{\"tenants\": \"a\", \"m\": 1}", expected);
        List<EventHeader> shorter = members("{\"ten\": \"a\"}", expected);

        assertThat(again.get(0).name()).isSameAs(expected.get(0));
        assertThat(again.get(1).name()).isSameAs(expected.get(1));
        assertThat(others).extracting(EventHeader::name).containsExactly("tenants", "m");
        assertThat(shorter).extracting(EventHeader::name).containsExactly("ten");
        assertThat(PlainMembers.haveNames(again, expected)).isTrue();
        assertThat(PlainMembers.haveNames(others, expected)).isFalse();
        assertThat(PlainMembers.haveNames(shorter, expected)).isFalse();
        assertThat(PlainMembers.haveNames(List.of(), List.of())).isTrue();
    }

    private static List<EventHeader> members(String text, List<String> expected) {
        return Objects.requireNonNull(PlainMembers.read(text, expected), () -> "left to the parser: " + text);
    }

    @Test
    void aTextThatReadsNullIsNoNull() {
        assertThat(PlainMembers.read("{\"a\":\"null\",\"b\":null}", List.of()))
                .containsExactly(new EventHeader("a", "null"));
    }

    @Provide
    Arbitrary<List<String>> expected() {
        return Arbitraries.of("a", "b", "ab", "", "ü€", "abc").list().ofMaxSize(3);
    }

    @Provide
    Arbitrary<String> documents() {
        Arbitrary<String> names =
                Arbitraries.of("\"a\"", "\"b\"", "\"ab\"", "\"\"", "\"ü€\"", "\"a\\n\"", "\"\t\"", "a", "\"a", "1");
        Arbitrary<String> values = Arbitraries.oneOf(
                names,
                Arbitraries.of("true", "false", "null", "\"null\"", "nul", "truex", "tru", "NaN", "Infinity", "TRUE"),
                Arbitraries.strings().withChars("-+.eE0019").ofMinLength(1).ofMaxLength(5),
                Arbitraries.longs().map(String::valueOf),
                Arbitraries.of("{}", "[1]", "{\"a\": 1}", "", "\"x\" \"y\""));
        Arbitrary<String> blanks = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.of("", " ")),
                Tuple.of(1, Arbitraries.of("\n", "\t", "\r", "\u00a0", "\f", "x", ",")));
        Arbitrary<String> members = Combinators.combine(names, blanks, values, blanks)
                .as((name, before, value, after) -> name + before + ":" + before + value + after);
        return Combinators.combine(blanks, members.list().ofMaxSize(10), blanks)
                .as((before, all, after) -> before + "{" + String.join(",", all) + "}" + after);
    }
}
