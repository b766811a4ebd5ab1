package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.TaskFailure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a task's stack trace says: the root cause, and whether a restart can help.
 *
 * <p>Messages of exceptions about records can hold a piece of the record, so a message is shown only where its class
 * speaks of connections, positions and settings; of others the class alone.
 */
final class TraceReading {

    private static final String CAUSE = "Caused by: ";
    private static final int LONGEST = 240;

    private static final List<String> SPEAK_OF_NO_RECORD = List.of(
            "org.postgresql.util.PSQLException",
            "io.debezium.DebeziumException",
            "io.debezium.jdbc.JdbcConnectionException",
            "io.outboxcdc.",
            "org.apache.kafka.common.errors.",
            "org.apache.kafka.common.config.ConfigException",
            "java.net.",
            "java.io.",
            "java.util.concurrent.",
            "java.lang.OutOfMemoryError");

    /** Faults that come back with every start, and are mended by a person. */
    private static final List<Pattern> NOT_MENDABLE = Stream.of(
                    "RecordTooLargeException",
                    "SerializationException",
                    "SchemaBuilderException",
                    "org\\.apache\\.kafka\\.connect\\.errors\\.DataException",
                    "ConfigException",
                    "SaslAuthenticationException|AuthorizationException",
                    "no longer available on the server",
                    "password authentication failed|SQLSTATE\\(?:? ?28|no pg_hba.conf entry|role .* does not exist",
                    "publication .* does not exist",
                    "replication slot .* does not exist",
                    "can no longer (?:get changes|access replication slot)",
                    "This connector was configured to (?:stop|fail)")
            .map(pattern -> Pattern.compile(pattern, Pattern.CASE_INSENSITIVE))
            .toList();

    private TraceReading() {}

    static Optional<TaskFailure> of(String trace) {
        if (trace.isBlank()) {
            return Optional.empty();
        }
        boolean mendable = NOT_MENDABLE.stream()
                .noneMatch(pattern -> pattern.matcher(trace).find());
        return Optional.of(new TaskFailure(shown(rootCause(trace)), mendable));
    }

    private static String rootCause(String trace) {
        return trace.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(CAUSE))
                .map(line -> line.substring(CAUSE.length()))
                .reduce((earlier, later) -> later)
                .orElseGet(() -> trace.lines().findFirst().orElse("").strip());
    }

    private static String shown(String cause) {
        int colon = cause.indexOf(": ");
        String type = colon < 0 ? cause : cause.substring(0, colon);
        if (SPEAK_OF_NO_RECORD.stream().noneMatch(type::startsWith)) {
            return type;
        }
        String simple = type.substring(type.lastIndexOf('.') + 1) + cause.substring(type.length());
        return simple.length() <= LONGEST ? simple : simple.substring(0, LONGEST) + "...";
    }
}
