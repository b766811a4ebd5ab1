package io.outboxcdc.it;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the relay promises for single events. What would break: an event that is skipped, or one that stops the others. */
class RelayIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    private static RelayStack stack;
    private static OutboxTable outbox;
    private static Topics topics;

    @SuppressWarnings("NullAway.Init") // before all tests
    RelayIT() {}

    @BeforeAll
    static void start() throws IOException, SQLException {
        stack = RelayStack.start(folder);
        outbox = stack.outbox();
        topics = new Topics(stack.parts().bootstrapServers());
    }

    @AfterAll
    static void stop() {
        if (topics != null) {
            topics.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @AfterEach
    void stopRelays() throws InterruptedException {
        stack.stopRelays();
    }

    @Test
    void whatWasWrittenBeforeAnyRelayRanIsPublished() throws Exception {
        UUID early = outbox.insert(OutboxRow.of("early"));

        stack.relay("early", Map.of());

        assertThat(topics.await("outbox.event.early", early, SOON).key()).isEqualTo(new byte[] {'1'});
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(stack.number("SELECT count(*) FROM outbox WHERE published_at IS NULL"))
                        .isZero());
    }

    @Test
    void aTransactionThatCommitsLateIsPublishedThoughLaterOnesWere() throws Exception {
        stack.relay("late", Map.of());
        UUID late = UUID.randomUUID();
        try (Connection connection = stack.parts().postgres().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO outbox (id, aggregate_type, aggregate_id, payload) VALUES ('" + late
                    + "', 'late', 'slow', '{}')");
            // In every shard, all with a higher seq.
            for (int i = 0; i < 40; i++) {
                topics.await(
                        "outbox.event.late", outbox.insert(OutboxRow.of("late").key("k" + i)), SOON);
            }
            connection.commit();
        }

        topics.await("outbox.event.late", late, SOON);
        assertThat(topics.idsOf("outbox.event.late")).hasSize(41).doesNotHaveDuplicates();
    }

    @Test
    void anEventThatTheTopicDoesNotTakeStopsItsAggregateOnlyUntilItIsTaken() throws Exception {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", stack.parts().bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic("outbox.event.small", 1, (short) 1)
                            .configs(Map.of("max.message.bytes", "2000"))))
                    .all()
                    .get();
            RelayProcess relay = stack.relay(
                            "failing", Map.of("retry.interval.min.ms", "200", "kafka.compression.type", "none"))
                    .awaitReady();
            UUID first = outbox.insert(OutboxRow.of("small").key("a"));
            UUID large = outbox.insert(OutboxRow.of("small").key("a").payload("\"" + "x".repeat(5_000) + "\""));
            UUID behind = outbox.insert(OutboxRow.of("small").key("a"));
            UUID other = outbox.insert(OutboxRow.of("small").key("b"));

            topics.await("outbox.event.small", first, SOON);
            topics.await("outbox.event.small", other, SOON);
            await().atMost(SOON)
                    .until(() -> stack.number("SELECT attempts FROM outbox WHERE id = '" + large + "'") >= 2);
            assertThat(topics.idsOf("outbox.event.small")).containsExactlyInAnyOrder(first, other);
            await().atMost(SOON).until(() -> relay.metric("outbox_relay_failed_attempts_total") >= 2);

            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, "outbox.event.small"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("max.message.bytes", "1000000"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            topics.await("outbox.event.small", behind, SOON);
            assertThat(topics.idsOf("outbox.event.small"))
                    .containsExactlyInAnyOrder(first, other, large, behind)
                    .containsSubsequence(first, large, behind);
            assertThat(stack.logs()).doesNotContain("xxxxx");
        }
    }

    @Test
    void whatIsNoLegalEventIsADeadLetterAndStopsNothing() throws Exception {
        UUID poison = outbox.insertUnchecked(OutboxRow.of("No Topic").key("p"));
        UUID withoutKey = outbox.insertUnchecked(OutboxRow.of("poison").key(" "));
        UUID follower = outbox.insert(OutboxRow.of("poison").key("p"));

        RelayProcess relay = stack.relay("poison", Map.of()).awaitReady();

        topics.await("outbox.event.poison", follower, SOON);
        assertThat(Topics.header(topics.await("outbox.dead-letter", poison, SOON), "outbox.error.reason"))
                .isEqualTo("TOPIC_ILLEGAL");
        assertThat(Topics.header(topics.await("outbox.dead-letter", withoutKey, SOON), "outbox.error.reason"))
                .isEqualTo("KEY_MISSING");
        // A row that breaks the table's check can be marked all the same.
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(stack.number("SELECT count(*) FROM outbox WHERE published_at IS NULL"))
                        .isZero());
        assertThat(relay.metric("outbox_relay_dead_letters_total")).isEqualTo(2);
    }

    @Test
    void publishedEventsAreRemovedWhenTheirRetentionIsOverAndOthersAreNot() throws Exception {
        UUID event = outbox.insert(OutboxRow.of("retained"));
        stack.relay("cleaning", Map.of("retention.ms", "0", "cleanup.interval.ms", "100", "cleanup.batch.rows", "1"));

        topics.await("outbox.event.retained", event, SOON);
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(stack.number("SELECT count(*) FROM outbox")).isZero());
    }

    @Test
    void anOrderlyEndGivesTheShardsBackAtOnce() throws Exception {
        RelayProcess relay =
                stack.relay("orderly", Map.of("lease.duration.ms", "60000")).awaitReady();
        await().atMost(SOON).until(() -> stack.number("SELECT count(owner) FROM outbox_shard") == 4);

        relay.stop();

        assertThat(stack.number("SELECT count(owner) FROM outbox_shard")).isZero();
        assertThat(stack.number("SELECT count(*) FROM outbox_relay")).isZero();
    }

    @Test
    void instancesShareTheShards() throws Exception {
        stack.relay("one", Map.of());
        await().atMost(SOON).until(() -> stack.number("SELECT count(owner) FROM outbox_shard") == 4);

        stack.relay("two", Map.of());

        await().atMost(SOON)
                .until(() -> stack.number(
                                "SELECT count(*) FROM (SELECT owner FROM outbox_shard GROUP BY owner HAVING count(*) = 2) o")
                        == 2);
    }

    @Test
    void aDatabaseThatIsNotPreparedIsRefusedWithWhatToDo() throws Exception {
        RelayProcess relay = stack.relay("refused", Map.of("columns", "id,aggregate_type,aggregate_id,payload,none"));

        await().atMost(SOON).until(() -> !relay.isAlive());
        assertThat(relay.log()).contains("public.outbox has no column none").doesNotContain(RelayStack.PASSWORD);
    }
}
