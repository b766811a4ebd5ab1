package io.outboxcdc.it.sql;

import io.outboxcdc.client.inbox.Inbox;
import io.outboxcdc.client.inbox.InboxRetention;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
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
class InboxIT {
    private static final Inbox BILLING = Inbox.of("billing");

    private static final Inbox MAIL = Inbox.of("mail");

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    private PGSimpleDataSource consumer;

    private PGSimpleDataSource owner;

    @SuppressWarnings("NullAway.Init") // before each test
    InboxIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void applyScript(@TempDir Path folder) throws Exception {
        database = databases.create(version);
        // Alone: the consumer's database has no outbox.
        database.apply(ScriptFolder.only(folder, "70_inbox.sql"));
        database.run(
                "CREATE ROLE worker LOGIN",
                "GRANT inbox_consumer TO worker",
                "CREATE ROLE keeper LOGIN",
                "GRANT inbox_owner TO keeper",
                "CREATE TABLE effect (consumer text, message_id text)",
                "GRANT INSERT ON effect TO worker");
        consumer = dataSource("worker");
        owner = dataSource("keeper");
    }

    private PGSimpleDataSource dataSource(String user) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(database.url(user));
        return dataSource;
    }

    private static Inbox.Effect effect(Inbox inbox, String messageId) {
        return connection -> {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?, ?)")) {
                insert.setString(1, inbox.consumer());
                insert.setString(2, messageId);
                insert.executeUpdate();
            }
        };
    }

    private boolean deliver(Inbox inbox, String messageId) throws Exception {
        return inbox.handleOnce(consumer, messageId, effect(inbox, messageId));
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

    @Test
    void retentionForgetsWhatIsOlderThanTheWindowInBatches() throws Exception {
        database.run(
                "INSERT INTO inbox SELECT 'billing', 'old' || n, now() - interval '8 days' FROM generate_series(1, 12345) n",
                "INSERT INTO inbox SELECT 'mail', 'old' || n, now() - interval '8 days' FROM generate_series(1, 3) n",
                "INSERT INTO inbox SELECT 'billing', 'young' || n, now() - interval '6 days' FROM generate_series(1, 3) n");

        assertThat(InboxRetention.of(owner, "billing", Duration.ofDays(7)).forget())
                .isEqualTo(12_345);

        assertThat(database.query("SELECT consumer || ' ' || count(*) FROM inbox GROUP BY consumer ORDER BY 1"))
                .containsExactly("billing 3", "mail 3");
        assertThat(InboxRetention.of(owner, "billing", Duration.ofDays(7)).forget())
                .isZero();
    }

    @Test
    void retentionNeitherWaitsForNorForgetsAClaimThatIsStillOpen() throws Exception {
        database.run("INSERT INTO inbox VALUES ('billing', 'm1', now() - interval '8 days')");
        try (Connection open = consumer.getConnection()) {
            open.setAutoCommit(false);
            BILLING.claim(open, "m2");
            try (PreparedStatement lock = database.connect()
                    .prepareStatement("BEGIN; SELECT FROM inbox WHERE message_id = 'm1' FOR UPDATE")) {
                lock.execute();
                assertThat(InboxRetention.of(owner, "billing", Duration.ofMillis(1))
                                .forget())
                        .isZero();
                lock.getConnection().close();
            }
            open.commit();
        }
        assertThat(deliver(BILLING, "m2")).isFalse();
    }

    /** By contract, which the documentation states: the window decides what is a repeat. */
    @Test
    void aRepeatThatComesAfterItsClaimWasForgottenIsNew() throws Exception {
        deliver(BILLING, "m1");
        database.run("UPDATE inbox SET claimed_at = now() - interval '8 days'");
        InboxRetention.of(owner, "billing", InboxRetention.DEFAULT_WINDOW).forget();
        assertThat(deliver(BILLING, "m1")).isFalse();

        InboxRetention.of(owner, "billing", Duration.ofDays(7)).forget();

        assertThat(deliver(BILLING, "m1")).isTrue();
    }

    @Test
    void retentionReadsTheIndexNotTheTable() throws Exception {
        database.run(
                "INSERT INTO inbox SELECT 'billing', 'old' || n, now() - n * interval '1 minute' FROM generate_series(1, 50000) n",
                "ANALYZE inbox");

        assertThat(
                        String.join(
                                "\n",
                                database.query(
                                        "EXPLAIN SELECT ctid FROM inbox WHERE consumer = 'billing'"
                                                + " AND claimed_at < now() - interval '7 days' ORDER BY claimed_at LIMIT 5000 FOR UPDATE SKIP LOCKED")))
                .contains("inbox_claimed_at");
    }
}
