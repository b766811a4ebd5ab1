package io.outboxcdc.relay.core;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which events a batch has. The note is a part of the batch's Kafka transaction, as the metadata of an offset, so it is
 * there exactly when the events are. Whoever takes a shard over learns from it whether the last batch was published and
 * only not yet marked in the database.
 *
 * @param number one more than that of the shard's batch before
 * @param seqs   of the events, rising
 * @param digest of the events' ids: after a restore of the database the same seqs can belong to other events
 */
public record BatchNote(long number, List<Long> seqs, long digest) {

    /** A broker takes so many bytes by default ({@code offset.metadata.max.bytes}). */
    public static final int MOST_CHARACTERS = 4096;

    /** Version, number and digest, each followed by a dot, at their longest. */
    private static final int LONGEST_HEAD = 2 + 20 + 17;

    private static final Pattern FORM = Pattern.compile("1\\.(\\d{1,19})\\.([0-9a-f]{16})\\.([A-Za-z0-9_-]*)");

    /** Copies the seqs. */
    public BatchNote {
        seqs = List.copyOf(seqs);
    }

    /** The note of a batch. */
    public static BatchNote of(long number, List<EventRow> rows) {
        return new BatchNote(
                number,
                rows.stream().map(EventRow::seq).toList(),
                digest(rows.stream().map(EventRow::id).toList()));
    }

    /** A digest of ids, in the order of their seqs. */
    public static long digest(Collection<String> ids) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", ids).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    /** How many of these rows, from the first on, one note has room for. */
    public static int fitting(List<EventRow> rows) {
        int room = (MOST_CHARACTERS - LONGEST_HEAD) / 4 * 3;
        long before = 0;
        int count = 0;
        for (EventRow row : rows) {
            room -= bytes(row.seq() - before);
            if (room < 0) {
                break;
            }
            before = row.seq();
            count++;
        }
        return count;
    }

    /** As it is stored: the distances of the seqs, seven bits to a byte. */
    public String text() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long before = 0;
        for (long seq : seqs) {
            for (long rest = seq - before; ; rest >>>= 7) {
                if (rest < 0x80) {
                    bytes.write((int) rest);
                    break;
                }
                bytes.write((int) ((rest & 0x7f) | 0x80));
            }
            before = seq;
        }
        return "1.%d.%016x.%s"
                .formatted(
                        number, digest, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray()));
    }

    /** What was stored; empty when it is no note of ours. */
    public static Optional<BatchNote> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BatchNote(
                    Long.parseLong(form.group(1)),
                    seqs(Base64.getUrlDecoder().decode(form.group(3))),
                    Long.parseUnsignedLong(form.group(2), 16)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static List<Long> seqs(byte[] bytes) {
        List<Long> seqs = new ArrayList<>();
        long before = 0;
        long distance = 0;
        int shift = 0;
        for (byte each : bytes) {
            distance |= (long) (each & 0x7f) << shift;
            shift += 7;
            if (each >= 0) {
                before += distance;
                seqs.add(before);
                distance = 0;
                shift = 0;
            }
        }
        return seqs;
    }

    private static int bytes(long distance) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(distance) + 6) / 7);
    }
}
