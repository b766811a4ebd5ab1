package io.outboxcdc.monitor.read;

import io.outboxcdc.monitor.core.TaskFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TraceReadingTest {

    private static final String FRAME = "\n\tat org.example.Some.method(Some.java:1)\n";

    @Test
    void theRootCauseIsShown() {
        TaskFailure failure = TraceReading.of("org.apache.kafka.connect.errors.ConnectException: Exiting" + FRAME
                        + "Caused by: org.postgresql.util.PSQLException: Connection refused." + FRAME)
                .orElseThrow();

        assertThat(failure.cause()).isEqualTo("PSQLException: Connection refused.");
        assertThat(failure.mendable()).isTrue();
    }

    @Test
    void aMessageThatMayHoldAPieceOfARecordIsNotShown() {
        TaskFailure failure = TraceReading.of("org.apache.kafka.connect.errors.DataException: Converting failed" + FRAME
                        + "Caused by: com.fasterxml.jackson.core.JsonParseException: Unrecognized token 'hush'" + FRAME)
                .orElseThrow();

        assertThat(failure.cause()).isEqualTo("com.fasterxml.jackson.core.JsonParseException");
        assertThat(failure.mendable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.common.errors.RecordTooLargeException: The message is 2000000 bytes",
                "io.debezium.DebeziumException: The connector is trying to read change stream starting at ..., but this"
                        + " is no longer available on the server",
                "org.postgresql.util.PSQLException: FATAL: password authentication failed for user \"outbox_cdc\"",
                "org.postgresql.util.PSQLException: ERROR: replication slot \"outbox\" does not exist",
                "org.postgresql.util.PSQLException: ERROR: can no longer get changes from replication slot",
                "org.apache.kafka.common.config.ConfigException: Invalid value"
            })
    void whatComesBackWithEveryStartIsNotMendable(String trace) {
        assertThat(TraceReading.of(trace).orElseThrow().mendable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.common.errors.TimeoutException: Timeout expired",
                "org.postgresql.util.PSQLException: FATAL: terminating connection due to administrator command",
                "org.apache.kafka.common.errors.ProducerFencedException: fenced"
            })
    void whatPassesIsMendable(String trace) {
        assertThat(TraceReading.of(trace).orElseThrow().mendable()).isTrue();
    }

    @Test
    void aTaskThatDidNotFailHasNoFailure() {
        assertThat(TraceReading.of("")).isEmpty();
    }
}
