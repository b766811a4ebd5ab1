package io.outboxcdc.it.sql;

import io.outboxcdc.client.inbox.InboxRetention;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

/** Claims are forgotten when their window is over, and not before. */
@ParameterizedClass
@EnumSource
class InboxRetentionIT extends InboxFixture {
    InboxRetentionIT(PostgresVersion version) {
        super(version);
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
