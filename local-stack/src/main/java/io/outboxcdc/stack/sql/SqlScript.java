package io.outboxcdc.stack.sql;

import org.postgresql.core.NativeQuery;
import org.postgresql.core.Parser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of one script, its statements and where they stand. */
record SqlScript(String name, String text) {
    private static final Pattern SETTING = Pattern.compile("current_setting\\('(outbox\\.\\w+)'");

    private static final Pattern LEADING_SPACE_AND_COMMENTS = Pattern.compile("(?:\\s|--[^\\n]*(?:\\n|\\z))*");

    /** One statement; the offset is the index of its first character in the script. */
    record Statement(String text, int offset) {}

    static SqlScript read(Path file) {
        try {
            return new SqlScript(file.getFileName().toString(), Files.readString(file));
        } catch (IOException e) {
            throw new OutboxSqlException(
                    "Script " + file + " cannot be read (" + e + "). Check the path and its permissions.",
                    file.getFileName().toString(),
                    "",
                    e);
        }
    }

    /** The settings that the script reads with {@code current_setting}. */
    Set<String> settings() {
        Set<String> names = new TreeSet<>();
        Matcher matcher = SETTING.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /**
     * The statements one by one, since the position in a server error counts from the start of the statement sent. The
     * driver's own parser is asked: it knows quotes, dollar quotes and nested comments.
     */
    List<Statement> statements() throws SQLException {
        List<Statement> statements = new ArrayList<>();
        int end = 0;
        for (NativeQuery query : Parser.parseJdbcSql(text, true, false, true, false, false)) {
            int offset = text.indexOf(query.nativeSql, end);
            if (offset < 0) {
                throw new IllegalStateException("The driver changed a statement of " + name + " while parsing it.");
            }
            end = offset + query.nativeSql.length();
            if (firstToken(query.nativeSql) < query.nativeSql.length()) {
                statements.add(new Statement(query.nativeSql, offset));
            }
        }
        return statements;
    }

    /** The line, from 1, of the statement's first word, or of the position in it when the server gave one. */
    int line(Statement statement, int serverPosition) {
        int inStatement = serverPosition > 0
                ? statement.text().offsetByCodePoints(0, serverPosition - 1)
                : firstToken(statement.text());
        int index = Math.min(statement.offset() + inStatement, text.length());
        return 1 + (int) text.chars().limit(index).filter(c -> c == '\n').count();
    }

    private static int firstToken(String sql) {
        Matcher matcher = LEADING_SPACE_AND_COMMENTS.matcher(sql);
        return matcher.lookingAt() ? matcher.end() : 0;
    }
}
