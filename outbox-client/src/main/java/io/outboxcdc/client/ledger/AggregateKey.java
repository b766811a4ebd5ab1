package io.outboxcdc.client.ledger;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;

/** An aggregate in sixteen bytes, so that ids of any length can be sorted on disk. The first half of a SHA-256. */
record AggregateKey(long high, long low) implements Comparable<AggregateKey> {

    static final int BYTES = 16;

    private static final Comparator<AggregateKey> ORDER =
            Comparator.comparingLong(AggregateKey::high).thenComparingLong(AggregateKey::low);

    static AggregateKey of(Aggregate aggregate) {
        byte[] type = aggregate.type().getBytes(StandardCharsets.UTF_8);
        MessageDigest digest = sha256();
        // The length keeps ("ab", "c") and ("a", "bc") apart.
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(type.length).flip());
        digest.update(type);
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(aggregate.id().getBytes(StandardCharsets.UTF_8)));
        return new AggregateKey(hash.getLong(), hash.getLong());
    }

    @Override
    public int compareTo(AggregateKey other) {
        return ORDER.compare(this, other);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
