package io.outboxcdc.client.ledger;

import org.junit.jupiter.api.Test;

import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What would break: a demo or a fault test that calls a lossy pipeline clean. */
class LedgerTest {

    private static final Aggregate ORDER_1 = new Aggregate("order", "1");
    private static final Aggregate ORDER_2 = new Aggregate("order", "2");

    private final Ledger ledger = new Ledger();

    @Test
    void eventsSeenOnceInOrderAreClean() {
        UUID first = commit(ORDER_1, 1);
        UUID second = commit(ORDER_1, 2);

        ledger.seen(first);
        ledger.seen(second);

        assertThat(ledger.verdict()).isEqualTo(new Verdict(2, 0, 0, 0, 0, 0));
        assertThat(ledger.verdict().clean()).isTrue();
    }

    @Test
    void anEventThatNeverArrivesIsLost() {
        ledger.seen(commit(ORDER_1, 1));
        commit(ORDER_1, 2);

        assertThat(ledger.outstanding()).isEqualTo(1);
        assertThat(ledger.verdict()).isEqualTo(new Verdict(2, 1, 0, 0, 0, 0));
        assertThat(ledger.verdict().clean()).isFalse();
    }

    @Test
    void eachFurtherSightingIsADuplicate() {
        UUID event = commit(ORDER_1, 1);

        ledger.seen(event);
        ledger.seen(event);
        ledger.seen(event);

        assertThat(ledger.verdict().duplicated()).isEqualTo(2);
        assertThat(ledger.verdict().outOfOrder()).isZero();
    }

    @Test
    void anEventSeenAfterALaterOneOfItsAggregateIsOutOfOrder() {
        UUID first = commit(ORDER_1, 1);
        UUID second = commit(ORDER_1, 2);

        ledger.seen(second);
        ledger.seen(first);

        assertThat(ledger.verdict().outOfOrder()).isEqualTo(1);
    }

    @Test
    void aggregatesHaveNoOrderAmongEachOther() {
        UUID one = commit(ORDER_1, 5);
        UUID other = commit(ORDER_2, 1);

        ledger.seen(one);
        ledger.seen(other);

        assertThat(ledger.verdict().clean()).isTrue();
    }

    @Test
    void aRepeatOfAnEarlierEventIsADuplicateAndKeepsTheOrder() {
        UUID first = commit(ORDER_1, 1);
        UUID second = commit(ORDER_1, 2);

        ledger.seen(first);
        ledger.seen(second);
        ledger.seen(first);

        assertThat(ledger.verdict()).isEqualTo(new Verdict(2, 0, 1, 0, 0, 0));
    }

    @Test
    void aConsumerMayBeFasterThanTheWriter() {
        UUID event = UUID.randomUUID();

        ledger.seen(event);
        ledger.committed(event, ORDER_1, 1);

        assertThat(ledger.outstanding()).isZero();
        assertThat(ledger.verdict().clean()).isTrue();
    }

    @Test
    void anEventOfARolledBackTransactionIsAPhantom() {
        UUID event = UUID.randomUUID();

        ledger.rolledBack(event);
        ledger.seen(event);

        assertThat(ledger.verdict().phantoms()).isEqualTo(1);
        assertThat(ledger.verdict().clean()).isFalse();
    }

    @Test
    void aDeadLetterIsNotLostAndNotClean() {
        UUID event = commit(ORDER_1, 1);

        ledger.seenAsDeadLetter(event);

        assertThat(ledger.verdict()).isEqualTo(new Verdict(1, 0, 0, 0, 1, 0));
        assertThat(ledger.verdict().clean()).isFalse();
    }

    @Test
    void eventsOfOthersAreLeftOut() {
        ledger.seen(UUID.randomUUID());

        assertThat(ledger.verdict()).isEqualTo(new Verdict(0, 0, 0, 0, 0, 0));
    }

    @Test
    void oneIdCannotBeCommittedTwice() {
        UUID event = commit(ORDER_1, 1);

        assertThatThrownBy(() -> ledger.committed(event, ORDER_1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(event.toString());
    }

    private UUID commit(Aggregate aggregate, long sequence) {
        UUID id = UUID.randomUUID();
        ledger.committed(id, aggregate, sequence);
        return id;
    }
}
