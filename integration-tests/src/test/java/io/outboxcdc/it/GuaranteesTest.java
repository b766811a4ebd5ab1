package io.outboxcdc.it;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Each test that the page of guarantees calls as a witness is there. What would break: a promise that nothing shows. */
class GuaranteesTest {

    private static final Pattern WITNESS =
            Pattern.compile("`(?:([A-Z]\\w*(?:IT|Test))(?:\\.([a-z]\\w+))?|([a-z]{1,3}[A-Z]\\w{12,}))`");

    @Test
    void everyWitnessIsATest() throws IOException {
        String page = Files.readString(Path.of("../docs/concepts/guarantees.md"));
        List<String> tests = testSources();

        List<MatchResult> witnesses = WITNESS.matcher(page).results().toList();

        assertThat(witnesses).hasSizeGreaterThan(15);
        assertThat(witnesses)
                .allSatisfy(witness -> assertThat(tests).as(witness.group()).anyMatch(source -> isIn(source, witness)));
    }

    private static boolean isIn(String source, MatchResult witness) {
        String type = witness.group(1);
        String method = witness.group(2) == null ? witness.group(3) : witness.group(2);
        return (type == null || source.contains("class " + type + " "))
                && (method == null || source.contains("void " + method + "("));
    }

    private static List<String> testSources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(GuaranteesTest::read)
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
