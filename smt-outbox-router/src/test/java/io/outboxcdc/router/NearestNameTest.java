package io.outboxcdc.router;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** What a misspelt name was to be. */
class NearestNameTest {

    private static final List<String> KNOWN = List.of("abcdef", "abcxyz", "route");

    @ParameterizedTest
    @CsvSource({
        "abcdef, abcdef",
        "abcdxx, abcdef",
        "abcde, abcdef",
        "xabcdef, abcdef",
        "bacdef, abcdef",
        "abxxyz, abcxyz",
        "roude, route",
        "oute, route"
    })
    void aThirdOfTheLettersMayBeWrong(String misspelt, String meant) {
        assertThat(NearestName.of(misspelt, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"abcxxx", "xxxdef", "xouxe", "abcdefghij", "zzz"})
    void noNameIsFarFromAll(String unknown) {
        assertThat(NearestName.of(unknown, List.of("abcdef", "route"))).isEmpty();
    }

    @Test
    void ofNamesAsNearTheFirstOfTheAlphabetIsTaken() {
        assertThat(NearestName.of("abcd", List.of("abce", "abcc"))).contains("abcc");
    }
}
