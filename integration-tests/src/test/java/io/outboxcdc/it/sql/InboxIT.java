package io.outboxcdc.it.sql;

import io.outboxcdc.client.inbox.Inbox;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** A message has its effect once for each consumer, in the role that consumers have. */
@ParameterizedClass
@EnumSource
class InboxIT extends InboxFixture {
    private static final Inbox MAIL = Inbox.of("mail");

    InboxIT(PostgresVersion version) {
        super(version);
    }

    private List<String> effects() throws SQLException {
        return database.query("SELECT consumer || ' ' || message_id FROM effect ORDER BY 1");
    }

    private List<String> claims() throws SQLException {
        return database.query("SELECT consumer || ' ' || message_id FROM inbox ORDER BY 1");
    }

    @Test
    void twoConsumersThatShareAnInboxEachHandleAMessageOnce() throws Exception {
        assertThat(deliver(BILLING, "m1")).isTrue();
        assertThat(deliver(MAIL, "m1")).isTrue();
        assertThat(deliver(BILLING, "m1")).isFalse();

        assertThat(effects()).containsExactly("billing m1", "mail m1");
    }

    @Test
    void anEffectThatThrowsLeavesNeitherClaimNorEffectAndComesAgain() throws Exception {
        assertThatThrownBy(() -> BILLING.handleOnce(consumer, "m1", connection -> {
                    effect(BILLING, "m1").apply(connection);
                    throw new IllegalArgumentException("not today");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(claims()).isEmpty();
        assertThat(effects()).isEmpty();

        assertThat(deliver(BILLING, "m1")).isTrue();
        assertThat(claims()).containsExactly("billing m1");
        assertThat(effects()).containsExactly("billing m1");
    }

    @Test
    void aDatabaseThatEndsTheSessionInTheMiddleLeavesNeither() throws Exception {
        assertThatThrownBy(() -> BILLING.handleOnce(consumer, "m1", connection -> {
                    effect(BILLING, "m1").apply(connection);
                    database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'worker'");
                }))
                .isInstanceOf(SQLException.class);

        assertThat(claims()).isEmpty();
        assertThat(effects()).isEmpty();
        assertThat(deliver(BILLING, "m1")).isTrue();
    }

    @Test
    void ofTwoDeliveriesAtOnceOneHasTheEffect() throws Exception {
        assertThat(deliverWhileAnotherIsOpen(true)).isFalse();

        assertThat(effects()).containsExactly("billing m1");
    }

    @Test
    void theSecondDeliveryTakesOverWhenTheFirstIsRolledBack() throws Exception {
        assertThat(deliverWhileAnotherIsOpen(false)).isTrue();

        assertThat(effects()).containsExactly("billing m1");
    }

    private boolean deliverWhileAnotherIsOpen(boolean commitFirst) throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Connection first = consumer.getConnection()) {
            first.setAutoCommit(false);
            assertThat(BILLING.claim(first, "m1")).isTrue();
            effect(BILLING, "m1").apply(first);
            Future<Boolean> second = threads.submit(() -> deliver(BILLING, "m1"));
            await().until(() -> database.one("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
                    .equals("1"));
            if (commitFirst) {
                first.commit();
            } else {
                first.rollback();
            }
            return second.get();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void manyDeliveriesAtOnceGiveOneEffectEach() throws Exception {
        int deliverers = 4;
        List<String> ids = List.of("a", "b", "c", "d", "e", "f", "g", "h");
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(deliverers);
        List<Future<Integer>> results = IntStream.range(0, deliverers)
                .mapToObj(n -> threads.submit(() -> {
                    start.await();
                    int first = 0;
                    for (String id : ids) {
                        first += deliver(BILLING, id) ? 1 : 0;
                    }
                    return first;
                }))
                .toList();
        start.countDown();
        int sum = 0;
        for (Future<Integer> result : results) {
            sum += result.get();
        }
        threads.shutdown();

        assertThat(sum).isEqualTo(ids.size());
        assertThat(effects()).hasSize(ids.size()).doesNotHaveDuplicates();
    }

    @Test
    void aBatchIsClaimedAtOnceAndSaysWhatIsNew() throws Exception {
        deliver(BILLING, "m2");
        try (Connection connection = consumer.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(BILLING.claimAll(connection, List.of("m3", "m2", "m1", "m3")))
                    .containsExactlyInAnyOrder("m1", "m3");
            assertThat(BILLING.claimAll(connection, List.of())).isEmpty();
            connection.commit();
        }
        assertThat(claims()).containsExactly("billing m1", "billing m2", "billing m3");
    }

    @Test
    void autoCommitIsRefusedSinceAFailureBetweenClaimAndEffectWouldLoseTheMessage() throws Exception {
        try (Connection connection = consumer.getConnection()) {
            assertThatThrownBy(() -> BILLING.claim(connection, "m1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Begin a transaction");
            assertThatThrownBy(() -> BILLING.claimAll(connection, List.of("m1")))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(claims()).isEmpty();
    }

    @Test
    void anEffectMayNotPartItselfFromTheClaim() throws Exception {
        List<Inbox.Effect> parting = List.of(
                Connection::commit,
                Connection::rollback,
                Connection::close,
                connection -> connection.setAutoCommit(true));
        for (Inbox.Effect effect : parting) {
            assertThatThrownBy(() -> BILLING.handleOnce(consumer, "m1", connection -> {
                        effect(BILLING, "m1").apply(connection);
                        effect.apply(connection);
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("to give up, throw");
        }
        assertThat(claims()).isEmpty();

        assertThat(BILLING.handleOnce(
                        consumer, "m1", connection -> connection.rollback(connection.setSavepoint("its own affair"))))
                .isTrue();
    }

    @Test
    void anEffectThatSwallowsTheDatabasesErrorIsNotTakenForDone() throws Exception {
        assertThatThrownBy(() -> BILLING.handleOnce(consumer, "m1", connection -> {
                    try (PreparedStatement broken = connection.prepareStatement("SELECT 1 / 0")) {
                        broken.execute();
                    } catch (SQLException swallowed) {
                        return;
                    }
                }))
                .isInstanceOf(SQLException.class);
        assertThat(claims()).isEmpty();
    }

    @Test
    void theTransactionOfTheCallerIsLeftToTheCaller() throws Exception {
        try (Connection connection = consumer.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(BILLING.claim(connection, "m1")).isTrue();
            assertThat(BILLING.claim(connection, "m1")).isFalse();
            connection.rollback();
            assertThat(BILLING.claim(connection, "m1")).isTrue();
            connection.commit();
        }
        assertThat(claims()).containsExactly("billing m1");
    }

    @Test
    void consumersClaimAndWorkAndForgetNothing() {
        for (String forbidden : List.of(
                "DELETE FROM inbox",
                "UPDATE inbox SET message_id = 'x'",
                "TRUNCATE inbox",
                "TRUNCATE inbox_message",
                "DROP TABLE inbox")) {
            assertThatThrownBy(() -> database.runAs("worker", forbidden))
                    .as(forbidden)
                    .hasMessageMatching("(?s).*(permission denied|must be owner).*");
        }
    }
}
