package io.outboxcdc.stack;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Passwords for one stack's life. */
final class Secrets {

    private static final int BYTES = 16;

    private Secrets() {}

    static String random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
