package io.outboxcdc.cli.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What says in which order the events of an aggregate were committed. The table alone does not: {@code created_at} and
 * the transaction id are given out before the commit, so that of two transactions the later one may be the first to
 * commit.
 */
public sealed interface OrderSource {

    /** Nothing; the order is not judged. */
    record None() implements OrderSource {}

    /** The commit time that PostgreSQL keeps with {@code track_commit_timestamp=on}, then the command's number. */
    record CommitTime() implements OrderSource {}

    /** A counter in a column of its own. */
    record Column(String column) implements OrderSource {}

    /**
     * A counter inside a column that holds JSON.
     *
     * @param path the members' names or the elements' numbers, from the outside in
     */
    record Member(String column, List<String> path) implements OrderSource {
        /** A copy of the path. */
        public Member {
            path = List.copyOf(path);
        }
    }

    /**
     * Reads {@code none}, {@code commit-time}, {@code column} or {@code column:/json/pointer} (RFC 6901).
     *
     * @throws IllegalArgumentException when it is none of them
     */
    static OrderSource parse(String text) {
        if (text.equals("none")) {
            return new None();
        }
        if (text.equals("commit-time")) {
            return new CommitTime();
        }
        int colon = text.indexOf(':');
        String column = colon < 0 ? text : text.substring(0, colon);
        if (column.isBlank() || (colon >= 0 && !text.startsWith("/", colon + 1))) {
            throw new IllegalArgumentException("'" + text
                    + "' is no source of the order. Give none, commit-time, a column, or a column and a JSON pointer such"
                    + " as payload:/version.");
        }
        return colon < 0 ? new Column(column) : new Member(column, path(text.substring(colon + 2)));
    }

    /** As {@link #parse} reads it. */
    default String text() {
        if (this instanceof Member member) {
            return member.column()
                    + member.path().stream()
                            .map(name -> name.replace("~", "~0").replace("/", "~1"))
                            .collect(Collectors.joining("/", ":/", ""));
        }
        if (this instanceof Column counter) {
            return counter.column();
        }
        return this instanceof CommitTime ? "commit-time" : "none";
    }

    private static List<String> path(String pointer) {
        List<String> path = new ArrayList<>();
        for (String name : pointer.split("/", -1)) {
            path.add(name.replace("~1", "/").replace("~0", "~"));
        }
        return path;
    }
}
