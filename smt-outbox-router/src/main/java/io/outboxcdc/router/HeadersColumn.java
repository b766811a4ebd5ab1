package io.outboxcdc.router;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the headers column of one row after another. Thread-safe; remembers only names, which most rows repeat. */
final class HeadersColumn {

    private volatile List<String> lastNames = List.of();

    /** @param value JSON text, an hstore, or null for SQL NULL */
    HeadersJson.Result read(@Nullable Object value) {
        if (value == null) {
            return HeadersJson.NO_MEMBERS;
        }
        if (value instanceof Map<?, ?> hstore) {
            Map<String, String> members = new LinkedHashMap<>();
            hstore.forEach((name, text) -> {
                if (text != null) {
                    members.put(String.valueOf(name), String.valueOf(text));
                }
            });
            return HeadersJson.Members.of(members);
        }
        String json = (String) value;
        List<String> expected = lastNames;
        List<EventHeader> members = PlainMembers.read(json, expected);
        if (members == null) {
            return HeadersJson.read(json);
        }
        if (!PlainMembers.haveNames(members, expected)) {
            lastNames = members.stream().map(EventHeader::name).toList();
        }
        return new HeadersJson.Members(members);
    }
}
