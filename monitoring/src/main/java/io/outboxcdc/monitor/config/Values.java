package io.outboxcdc.monitor.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values as text: durations and sizes carry their unit. */
final class Values {

    static final String DURATION_FORM = "a number and ms, s, min, h or d, such as 30s";
    static final String SIZE_FORM = "a number and kB, MB, GB or TB, such as 64MB";

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,12})\\s*([a-zA-Z]+)");
    private static final Map<String, Duration> DURATIONS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "min", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final Map<String, Long> SIZES =
            Map.of("kb", 1L << 10, "mb", 1L << 20, "gb", 1L << 30, "tb", 1L << 40);

    private Values() {}

    static Optional<Duration> duration(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip());
        return matcher.matches() && DURATIONS.containsKey(matcher.group(2))
                ? Optional.of(DURATIONS.get(matcher.group(2)).multipliedBy(Long.parseLong(matcher.group(1))))
                : Optional.empty();
    }

    static Optional<Long> size(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip());
        String unit = matcher.matches() ? matcher.group(2).toLowerCase(Locale.ROOT) : "";
        return SIZES.containsKey(unit)
                ? Optional.of(SIZES.get(unit) * Long.parseLong(matcher.group(1)))
                : Optional.empty();
    }

    static Optional<Boolean> onOff(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "on", "true" -> Optional.of(true);
            case "off", "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    static List<String> names(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }
}
