package io.outboxcdc.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The SQL that a page shows, for the tests that run it. */
public final class DocumentedSql {

    private static final Pattern BLOCK = Pattern.compile("(?s)```sql\\n(.*?)```");
    private static final Pattern NEXT_SECTION = Pattern.compile("(?m)^## |\\z");

    private DocumentedSql() {}

    /**
     * The blocks in their order.
     *
     * @param page its place below {@code docs}
     */
    public static List<String> of(String page) throws IOException {
        return blocks(Files.readString(TestHome.path().resolve("docs").resolve(page)));
    }

    /** The blocks below one heading of a file, in their order. */
    public static List<String> in(Path file, String heading) throws IOException {
        String after = Files.readString(file).split("## " + Pattern.quote(heading) + "\n", 2)[1];
        return blocks(NEXT_SECTION.split(after, 2)[0]);
    }

    private static List<String> blocks(String text) {
        return BLOCK.matcher(text).results().map(found -> found.group(1)).toList();
    }
}
