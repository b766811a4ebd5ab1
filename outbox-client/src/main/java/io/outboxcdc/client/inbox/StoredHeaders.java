package io.outboxcdc.client.inbox;

import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Headers as two arrays side by side: a header's value is bytes, and its name may be there several times. */
final class StoredHeaders {

    /** What PostgreSQL cannot store in text, and what Kafka itself puts where a name was no UTF-8. */
    private static final char NUL = '\0';

    private static final char REPLACEMENT = '\ufffd';

    private StoredHeaders() {}

    static Array names(Connection connection, List<InboxMessage.Header> headers) throws SQLException {
        return connection.createArrayOf(
                "text",
                headers.stream()
                        .map(header -> header.name().replace(NUL, REPLACEMENT))
                        .toArray());
    }

    static Array values(Connection connection, List<InboxMessage.Header> headers) throws SQLException {
        Object[] values = headers.stream().map(InboxMessage.Header::value).toArray(byte[][]::new);
        return connection.createArrayOf("bytea", values);
    }

    static List<InboxMessage.Header> read(ResultSet row) throws SQLException {
        String[] names = (String[]) row.getArray("header_names").getArray();
        byte[] @Nullable [] values =
                (byte[] @Nullable []) row.getArray("header_values").getArray();
        List<InboxMessage.Header> headers = new ArrayList<>(names.length);
        for (int i = 0; i < names.length; i++) {
            headers.add(new InboxMessage.Header(names[i], values[i]));
        }
        return headers;
    }
}
