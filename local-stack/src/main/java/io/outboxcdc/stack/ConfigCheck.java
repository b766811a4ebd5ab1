package io.outboxcdc.stack;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a worker says of a configuration before it is put.
 *
 * @param knownKeys all keys that connector, transforms and converters declare: others are typing errors, which
 *     Connect itself does not report
 * @param problems the error messages by key; none when all is well
 */
public record ConfigCheck(Set<String> knownKeys, Map<String, List<String>> problems) {

    /** Copies both. */
    public ConfigCheck {
        knownKeys = Set.copyOf(knownKeys);
        problems = Map.copyOf(problems);
    }
}
