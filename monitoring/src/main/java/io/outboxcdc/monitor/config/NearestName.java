package io.outboxcdc.monitor.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what was meant by a misspelt name. */
final class NearestName {

    private NearestName() {}

    /** The known name with the fewest letters to change, unless that is more than a third of the name. */
    static Optional<String> of(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String candidate) -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(candidate -> distance(name, candidate) <= Math.max(name.length(), candidate.length()) / 3);
    }

    /** Levenshtein distance, row by row. */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        Arrays.setAll(above, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[to.length()];
    }
}
