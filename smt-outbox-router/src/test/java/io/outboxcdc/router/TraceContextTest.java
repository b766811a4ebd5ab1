package io.outboxcdc.router;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** The limits of W3C Trace Context and Baggage. */
class TraceContextTest {

    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
                "00-gbf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-ßbf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-extra",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
                "\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\""
            })
    void anInvalidParentDoesNotTravelNorDoesItsState(String parent) {
        TraceContext trace = TraceContext.of(parent, "a=1", "k=v");

        assertThat(trace.parent()).isEmpty();
        assertThat(trace.state()).isEmpty();
        assertThat(trace.baggage()).contains("k=v");
        assertThat(trace.invalid()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PARENT,
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later-version"
            })
    void aValidParentTravelsAsItIs(String parent) {
        TraceContext trace = TraceContext.of(parent, null, null);

        assertThat(trace.parent()).contains(parent);
        assertThat(trace.invalid()).isFalse();
    }

    @Test
    void aStateWithoutParentDoesNotTravel() {
        TraceContext trace = TraceContext.of(null, "a=1", null);

        assertThat(trace.state()).isEmpty();
        assertThat(trace.invalid()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A=1", "a=", "a=1=2", "a=ü", "a=1,b"})
    void aStateThatCannotBeParsedIsDiscardedAlone(String state) {
        TraceContext trace = TraceContext.of(PARENT, state, null);

        assertThat(trace.parent()).contains(PARENT);
        assertThat(trace.state()).isEmpty();
        assertThat(trace.invalid()).isTrue();
    }

    @Test
    void aStateKeepsItsFirst32Members() {
        assertThat(TraceContext.of(PARENT, members(33, 1), null).state()).contains(members(32, 1));
        assertThat(TraceContext.of(PARENT, members(32, 1), null).state()).contains(members(32, 1));
    }

    @Test
    void aStateOf600CharactersIsCutBetweenMembers() {
        // Each member is 30 characters with its comma, so 17 of them are 509.
        TraceContext trace = TraceContext.of(PARENT, members(20, 25), null);

        assertThat(trace.state()).contains(members(17, 25));
        assertThat(trace.state().orElseThrow()).hasSizeLessThanOrEqualTo(512);
    }

    @Test
    void aListOfExactlyTheLimitStaysWhole() {
        String state = "a=" + "v".repeat(251) + ",b=" + "v".repeat(256);

        assertThat(state).hasSize(512);
        assertThat(TraceContext.of(PARENT, state, null).state()).contains(state);
        assertThat(TraceContext.of(PARENT, "ab" + state.substring(1), null).state())
                .contains("ab=" + "v".repeat(251));
        assertThat(TraceContext.of(null, null, "a=" + "v".repeat(8_190)).baggage())
                .isPresent();
        assertThat(TraceContext.of(null, null, "a=" + "v".repeat(8_191)).baggage())
                .isEmpty();
    }

    @Test
    void baggageOf9000BytesIsCutBetweenMembers() {
        String baggage = members(30, 296);

        String kept = TraceContext.of(null, null, baggage).baggage().orElseThrow();

        assertThat(baggage).hasSizeGreaterThan(9_000).startsWith(kept + ",");
        assertThat(kept).hasSizeBetween(8_192 - 301, 8_192);
    }

    @Test
    void baggageKeepsItsFirst64Members() {
        assertThat(TraceContext.of(null, null, members(70, 1)).baggage()).contains(members(64, 1));
    }

    @Test
    void baggageIsMeasuredInBytes() {
        String kept = TraceContext.of(null, null, "a=" + "é".repeat(4_000) + ",b=" + "é".repeat(100))
                .baggage()
                .orElseThrow();

        assertThat(kept).doesNotContain("b=");
    }

    @Test
    void oneMemberThatIsTooLongLeavesNothing() {
        assertThat(TraceContext.of(null, null, "a=" + "x".repeat(9_000)).baggage())
                .isEmpty();
        assertThat(TraceContext.of(null, null, ",,a=1").baggage()).contains(",,a=1");
    }

    private static String members(int count, int valueLength) {
        return IntStream.range(0, count)
                .mapToObj(i -> String.format("k%02d=%s", i, "v".repeat(valueLength)))
                .collect(Collectors.joining(","));
    }
}
