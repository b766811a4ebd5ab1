package io.outboxcdc.it;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

/** The SQL that a page shows, for the tests that run it. */
public final class DocumentedSql {

    private static final Pattern BLOCK = Pattern.compile("(?s)```sql\\n(.*?)```");

    private DocumentedSql() {}

    /**
     * The blocks in their order.
     *
     * @param page its place below {@code docs}
     */
    public static List<String> of(String page) throws IOException {
        return BLOCK.matcher(Files.readString(TestHome.path().resolve("docs").resolve(page)))
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
