package io.outboxcdc.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * How one part is started and stopped.
 *
 * @param name as people know it
 * @param command what to run, asked for at each start
 * @param environment added to that of this JVM
 * @param folder the working directory
 * @param log where standard output and standard error go
 * @param answers whether the part does its work by now; asked again and again, in at most a second each
 * @param stopSignal asks for an orderly stop
 * @param lastSignal see {@link Guardian#launch}
 */
record Part(
        String name,
        Supplier<List<String>> command,
        Map<String, String> environment,
        Path folder,
        Path log,
        BooleanSupplier answers,
        String stopSignal,
        String lastSignal) {

    static final Duration START_BOUND = Duration.ofMinutes(2);
    static final Duration STOP_BOUND = Duration.ofSeconds(15);
}
