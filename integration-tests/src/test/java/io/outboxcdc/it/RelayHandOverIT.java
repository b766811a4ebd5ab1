package io.outboxcdc.it;

import io.outboxcdc.cli.demo.CommitClock;
import io.outboxcdc.cli.demo.DemoSchema;
import io.outboxcdc.cli.demo.EventReader;
import io.outboxcdc.cli.demo.OrderWriters;
import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.client.ledger.Verdict;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import io.outboxcdc.stack.sql.OutboxSql;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The how-to, statement for statement, while events are written. What would break: events that both publish, that neither
 * publishes, or that pass earlier ones of their aggregate.
 */
class RelayHandOverIT {

    private static final String PAGE = "how-to/hand-over-between-polling-and-cdc.md";
    private static final Duration LATER = Duration.ofMinutes(3);
    private static final int EVENTS = 12_000;
    private static final int RATE = 200;

    @TempDir
    private Path folder;

    private OutboxPipeline pipeline;

    @SuppressWarnings("NullAway.Init") // in the test
    RelayHandOverIT() {}

    @Test
    void fromTheConnectorToTheRelayAndBackNothingIsLostRepeatedOrOutOfOrder() throws Exception {
        List<String> blocks = DocumentedSql.of(PAGE);
        String cutToRelay = blocks.get(0);
        String position = blocks.get(1);
        String isConfirmed = blocks.get(2);
        String dropSlot = blocks.get(3);
        String publication = blocks.get(4);
        String cutToConnector = blocks.get(5);
        String isDrained = blocks.get(6);
        Ledger ledger = new Ledger();
        try (OutboxPipeline started =
                OutboxPipeline.start(TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT)) {
            pipeline = started;
            try (DemoSchema schema = DemoSchema.create(pipeline.stack().postgres());
                    EventReader reader = EventReader.start(
                            pipeline.stack().bootstrapServers(),
                            event -> event.id().ifPresent(ledger::seen));
                    OrderWriters writers =
                            OrderWriters.start(pipeline.stack().postgres(), ledger, new CommitClock(), EVENTS, RATE)) {
                awaitSome(ledger);
                scripts("10_roles.sql", "15_event_rules.sql", "20_outbox.sql", "65_polling.sql");
                RelayStack.letRelayLogIn(pipeline.stack().postgres());
                awaitSome(ledger);

                cut(cutToRelay);
                String end = text(position);
                await().atMost(LATER)
                        .until(() -> text(isConfirmed.replace(":position", "'" + end + "'"))
                                .equals("t"));
                connect("PUT", "/stop");
                await().atMost(LATER).until(() -> connect("DELETE", "/offsets") == 200);
                connect("DELETE", "");
                await().atMost(LATER)
                        .until(() -> new OutboxTable(pipeline.stack().postgres()).slotIsFree());
                execute(dropSlot);
                try (RelayProcess relay = RelayProcess.start(
                        folder,
                        "relay",
                        RelayStack.jdbcUrl(pipeline.stack().postgres()),
                        pipeline.stack().bootstrapServers(),
                        Map.of())) {
                    relay.awaitReady();
                    await().atMost(LATER).until(() -> relay.metric("outbox_relay_published_total") > 500);
                    awaitSome(ledger);

                    execute(publication);
                    scripts("40_slot.sql");
                    cut(cutToConnector);
                    await().atMost(LATER).until(() -> text(isDrained).equals("t"));
                    relay.stop();
                }
                scripts("30_publication.sql", "50_grants.sql");
                long before = ledger.outstanding();
                pipeline.deployConnector();

                assertThat(before).as("events that waited for the connector").isPositive();
                assertThat(writers.await(LATER)).isTrue();
                await().atMost(LATER).until(() -> ledger.outstanding() == 0);
                assertThat(reader.awaitCaughtUp(LATER)).isTrue();
            }
        }
        assertThat(ledger.verdict()).isEqualTo(new Verdict(EVENTS, 0, 0, 0, 0, 0));
    }

    private static void awaitSome(Ledger ledger) {
        long committed = ledger.verdict().committed();
        await().atMost(LATER).until(() -> ledger.verdict().committed() > committed + RATE);
    }

    private void scripts(String... names) throws IOException, SQLException {
        Path scripts = Files.createTempDirectory(folder, "sql");
        for (String name : names) {
            Files.copy(TestHome.path().resolve("sql").resolve(name), scripts.resolve(name));
        }
        OutboxSql sql = OutboxSql.inFolder(scripts);
        try (Connection connection = pipeline.stack().postgres().connect()) {
            (List.of(names).contains("65_polling.sql") ? sql.with("outbox.polling", "on") : sql).applyTo(connection);
        }
    }

    /** Again when a writer was in the way for too long, as the page says. */
    private void cut(String statements) {
        await().atMost(LATER)
                .ignoreExceptionsMatching(e -> String.valueOf(e.getMessage()).contains("lock timeout"))
                .until(() -> {
                    execute(statements);
                    return true;
                });
    }

    private void execute(String sql) throws SQLException {
        new OutboxTable(pipeline.stack().postgres()).execute(sql);
    }

    private String text(String query) throws SQLException {
        try (Connection connection = pipeline.stack().postgres().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private int connect(String method, String path) throws IOException, InterruptedException {
        URI url = pipeline.stack().connectUrl().resolve("/connectors/" + OutboxPipeline.CONNECTOR + path);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(url)
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }
}
