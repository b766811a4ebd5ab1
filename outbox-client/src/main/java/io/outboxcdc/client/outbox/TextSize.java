package io.outboxcdc.client.outbox;

/** How many bytes a text takes in a Kafka record. */
final class TextSize {

    private TextSize() {}

    /** In UTF-8, without encoding it. */
    static long utf8(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += utf8(text.charAt(i));
        }
        return bytes;
    }

    /**
     * About as {@code jsonb} prints it: white space between the parts goes, each comma and colon gets one space. Escapes
     * and exponents that {@code jsonb} writes otherwise are not looked at.
     */
    static long jsonb(String text) {
        long bytes = 0;
        boolean inString = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (inString) {
                bytes += utf8(c);
                if (c == '\\' && i + 1 < text.length()) {
                    i++;
                    bytes++;
                } else if (c == '"') {
                    inString = false;
                }
            } else if (c == '"') {
                inString = true;
                bytes++;
            } else if (c == ',' || c == ':') {
                bytes += 2;
            } else if (c > ' ') {
                bytes += utf8(c);
            }
        }
        return bytes;
    }

    /** Half of a surrogate pair counts two, the pair four. */
    private static int utf8(char c) {
        if (c < 0x80) {
            return 1;
        }
        return c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
}
