package io.outboxcdc.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as a person types them. */
final class TimeText {

    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,9})([smhd])");

    private TimeText() {}

    /**
     * Reads {@code 30s}, {@code 5m}, {@code 24h} or {@code 7d}.
     *
     * @throws IllegalArgumentException when it is something else
     */
    static Duration duration(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no duration; give a number with s, m, h or d: 24h.");
        }
        long number = Long.parseLong(amount.group(1));
        return switch (amount.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    /**
     * Reads an ISO 8601 time with its offset, or a duration, which means that long before {@code now}.
     *
     * @throws IllegalArgumentException when it is neither
     */
    static Instant instant(String text, Instant now) {
        if (AMOUNT.matcher(text).matches()) {
            return now.minus(duration(text));
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text
                    + "' is no time; give one with its offset, such as 2026-11-30T12:00:00Z, or 24h for a day ago.");
        }
    }
}
