package io.outboxcdc.stack;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TaskFailureTest {

    private static final String TRACE = """
            a.Outer: it went wrong
            \tat a.Outer.run(Outer.java:1)
            Caused by: a.Middle: halfway
            \tat a.Middle.run(Middle.java:1)
            Caused by: a.Inner: the slot is in use
            \tat a.Inner.run(Inner.java:1)
            \t... 3 more
            """;

    @Test
    void theFirstLineIsTheInnermostCause() {
        ConnectorStatus status = new ConnectorStatus(
                "orders", "RUNNING", "w", "", List.of(new ConnectorStatus.Task(0, "FAILED", "w", TRACE)));

        assertThatThrownBy(() -> TaskFailure.throwIfFailed(status))
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith(
                        "Task 0 of connector orders failed: a.Inner: the slot is in use" + System.lineSeparator())
                .hasMessageContaining("a.Outer: it went wrong");
    }

    @Test
    void aTraceWithoutCausesSpeaksForItself() {
        assertThat(TaskFailure.rootCause("a.Only: no such column\n\tat a.Only.run(Only.java:1)"))
                .isEqualTo("a.Only: no such column");
        assertThat(TaskFailure.rootCause("")).isEqualTo("no stack trace was given");
    }

    @Test
    void runningPartsAreNoFailure() {
        ConnectorStatus status = new ConnectorStatus(
                "orders", "RUNNING", "w", "", List.of(new ConnectorStatus.Task(0, "UNASSIGNED", "w", "")));

        assertThat(TaskFailure.isIn(status)).isFalse();
        assertThat(status.isRunning()).isFalse();
        assertThat(TaskFailure.states(status)).isEqualTo("connector RUNNING, task 0 UNASSIGNED");
        assertThatCode(() -> TaskFailure.throwIfFailed(status)).doesNotThrowAnyException();
    }

    @Test
    void aConnectorWithoutATaskDoesNotRun() {
        ConnectorStatus status = new ConnectorStatus("orders", "RUNNING", "w", "", List.of());

        assertThat(status.isRunning()).isFalse();
        assertThat(TaskFailure.states(status)).isEqualTo("connector RUNNING, no task");
    }
}
