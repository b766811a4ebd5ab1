package io.outboxcdc.client.outbox;

import java.util.Map;

/**
 * Headers as a JSON object. They are flat, so a library, which the application may not have, would save a few lines only.
 */
final class HeadersJson {

    private static final int FIRST_PRINTABLE = 0x20;

    private HeadersJson() {}

    static String of(Map<String, Object> headers) {
        StringBuilder json = new StringBuilder(headers.size() * 48).append('{');
        headers.forEach((name, value) -> {
            if (json.length() > 1) {
                json.append(',');
            }
            quote(json, name);
            json.append(':');
            if (value instanceof Number || value instanceof Boolean) {
                json.append(value);
            } else {
                quote(json, value.toString());
            }
        });
        return json.append('}').toString();
    }

    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
