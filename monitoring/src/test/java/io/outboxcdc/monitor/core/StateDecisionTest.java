package io.outboxcdc.monitor.core;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import static io.outboxcdc.monitor.core.SampleBuilder.MB;
import static io.outboxcdc.monitor.core.SampleBuilder.healthy;
import static org.assertj.core.api.Assertions.assertThat;

/** What would break: a person is sent to the wrong part of the pipeline, or to none. */
class StateDecisionTest {

    private static final StateDecision DECISION = new StateDecision(Thresholds.USUAL);
    private static final Duration LONG = Duration.ofMinutes(5);

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(
                        SlotState.MISSING,
                        "there is no logical slot outbox",
                        healthy().slotMissing()),
                Arguments.of(SlotState.LOST, "max_slot_wal_keep_size", healthy().walStatus("lost")),
                Arguments.of(
                        SlotState.LOST, "idle_timeout", healthy().inactive().invalidated("idle_timeout")),
                Arguments.of(
                        SlotState.OFFSET_AHEAD, "has stored position", healthy().offsetAgainstHead(1)),
                Arguments.of(SlotState.OFFSET_AHEAD, "identifier", healthy().serverChange("system identifier changed")),
                Arguments.of(
                        SlotState.OFFSET_GAP,
                        "3.0 MB of WAL will never",
                        healthy().offsetAgainstHead(-3 * MB)),
                Arguments.of(
                        SlotState.PUBLICATION_BROKEN,
                        "does not exist",
                        healthy().publicationMissing()),
                Arguments.of(
                        SlotState.PUBLICATION_BROKEN,
                        "does not contain",
                        healthy().publicationWithoutTable()),
                Arguments.of(
                        SlotState.PUBLICATION_BROKEN,
                        "publish_via_partition_root",
                        healthy().partitionedWithoutRoot()),
                Arguments.of(
                        SlotState.PUBLICATION_BROKEN,
                        "dropped and made anew",
                        healthy().publicationMadeAnew(1)),
                Arguments.of(SlotState.UNRESERVED, "next checkpoint", healthy().walStatus("unreserved")),
                Arguments.of(
                        SlotState.BLOCKED_BY_STANDBY,
                        "standby slot sb has no reader",
                        healthy().failover().standby("sb", true, false)),
                Arguments.of(
                        SlotState.BLOCKED_BY_STANDBY,
                        "a standby has not confirmed",
                        healthy().failover().standby("sb", true, true).standbyWaits(2)),
                Arguments.of(
                        SlotState.INACTIVE,
                        "connector main/outbox is STOPPED",
                        healthy().inactive().connector("STOPPED", "RUNNING")),
                Arguments.of(
                        SlotState.INACTIVE,
                        "says RUNNING, but its task has no connection",
                        healthy().inactive()),
                Arguments.of(
                        SlotState.INACTIVE,
                        "task 0 of connector main/outbox has FAILED: no space",
                        healthy().inactive().taskFailure("no space")),
                Arguments.of(
                        SlotState.INACTIVE,
                        "there is no connector main/outbox",
                        healthy().inactive().noConnector()),
                Arguments.of(
                        SlotState.INACTIVE,
                        "cannot be asked: refused",
                        healthy().inactive().connectDown("refused")),
                Arguments.of(
                        SlotState.HUNG_CLIENT,
                        "has not answered for 31 s",
                        healthy().replyAge(31)),
                Arguments.of(
                        SlotState.STALLED_DOWNSTREAM,
                        "is PAUSED",
                        healthy().unconfirmed(1).connector("PAUSED", "PAUSED")),
                Arguments.of(
                        SlotState.STALLED_DOWNSTREAM,
                        "has not got into Kafka",
                        healthy().unconfirmed(1).standstill(LONG)),
                Arguments.of(
                        SlotState.STALLED_DOWNSTREAM,
                        "no heartbeat.action.query",
                        healthy().unconfirmed(1).standstill(LONG).config(Map.of())),
                Arguments.of(
                        SlotState.BACKPRESSURE,
                        "takes less than is written",
                        healthy().unsent(100 * MB).writeWaits(2)),
                Arguments.of(
                        SlotState.HELD_BY_TRANSACTION,
                        "the transaction of pid 4711 (billing), open for 5 min",
                        healthy().retained(100 * MB).writer(300)),
                Arguments.of(
                        SlotState.CATCHING_UP,
                        "2 min 5 s behind",
                        healthy().unconfirmed(MB).lag(125)),
                Arguments.of(SlotState.OK, "up to date", healthy()));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everyStateHasItsCauseInWords(SlotState state, String cause, SampleBuilder sample) {
        StateFinding found = DECISION.of(sample.build());

        assertThat(found.state()).isEqualTo(state);
        assertThat(found.cause()).contains(cause);
    }

    static Stream<Arguments> lookAlikes() {
        return Stream.of(
                Arguments.of(
                        "a publication without via-root of a plain table",
                        healthy().viaRootOff()),
                Arguments.of(
                        "a standby down that this slot does not wait for",
                        healthy().standby("sb", true, false)),
                Arguments.of(
                        "a connector that has stored nothing yet", healthy().noOffset()),
                Arguments.of("a reader that answers rarely", healthy().replyAge(20)),
                Arguments.of(
                        "a paused connector with nothing to deliver", healthy().connector("PAUSED", "PAUSED")),
                Arguments.of(
                        "nothing to confirm for long",
                        healthy().standstill(LONG).unconfirmed(0)),
                Arguments.of("a short pause", healthy().unconfirmed(MB).standstill(Duration.ofSeconds(5))),
                Arguments.of(
                        "WAL held by a young transaction",
                        healthy().retained(100 * MB).writer(10)),
                Arguments.of("WAL held until the next checkpoint", healthy().retained(100 * MB)),
                Arguments.of("one slow write", healthy().unsent(100 * MB).writeWaits(1)),
                Arguments.of(
                        "extended, which is only more than max_wal_size",
                        healthy().walStatus("extended")),
                Arguments.of(
                        "a slot that the driver confirms",
                        healthy().offsetAgainstHead(-MB).config(Map.of("lsn.flush.mode", "connector_and_driver"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lookAlikes")
    void whatOnlyLooksLikeAFaultIsOk(String what, SampleBuilder sample) {
        assertThat(DECISION.of(sample.build()).state()).as(what).isEqualTo(SlotState.OK);
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsAStateOfItsOwn() {
        StateFinding found = DECISION.of(healthy().unreadable("connection refused"));

        assertThat(found.state()).isEqualTo(SlotState.UNKNOWN);
        assertThat(found.cause()).contains("connection refused");
    }

    @Test
    void theWorseStateHidesTheLesser() {
        SampleBuilder all = healthy()
                .inactive()
                .walStatus("lost")
                .offsetAgainstHead(5)
                .publicationMissing()
                .lag(1000);

        assertThat(DECISION.of(all.build()).state()).isEqualTo(SlotState.LOST);
        assertThat(DECISION.of(all.walStatus("unreserved").build()).state()).isEqualTo(SlotState.OFFSET_AHEAD);
        assertThat(DECISION.of(all.offsetAgainstHead(0).build()).state()).isEqualTo(SlotState.PUBLICATION_BROKEN);
    }

    @Test
    void withoutAServerTimeoutAClientIsHungAfterHalfTheDefaultOne() {
        assertThat(DECISION.of(healthy().walSenderTimeout(0).replyAge(31).build())
                        .state())
                .isEqualTo(SlotState.HUNG_CLIENT);
        assertThat(DECISION.of(healthy().walSenderTimeout(4000).replyAge(2.1).build())
                        .state())
                .isEqualTo(SlotState.HUNG_CLIENT);
    }
}
