package io.outboxcdc.it;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The Java that a page shows is code that is compiled and run. What would break: a how-to that does not compile. */
class DocumentedCodeTest {

    private static final Path HOME = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)(?:^<!-- code: (\\S+) -->\\n)?^```java\\n(.*?)^```");

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(HOME.resolve("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockOfJavaIsInTheFileThatItNames(Path page) throws IOException {
        List<MatchResult> blocks =
                BLOCK.matcher(Files.readString(page)).results().toList();
        for (MatchResult block : blocks) {
            assertThat(block.group(1))
                    .as("%s: the comment <!-- code: file --> before the block%n%s", page, block.group(2))
                    .isNotNull();
            Path file = HOME.resolve(block.group(1));
            assertThat(Files.readString(file))
                    .as("%s shows what is not in %s", page, file)
                    .contains(block.group(2));
        }
    }
}
