package io.outboxcdc.it;

import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The operator's commands on a pipeline that runs. What would break: events are given up unsaid, or a connector goes on from
 * an offset that its slot has left behind.
 */
class SlotCommandsIT {

    private static final Duration SOON = Duration.ofSeconds(90);
    private static final Pattern SERVER = Pattern.compile("--server (\\d+)");
    /** The one event that is lost, and at most the last that is not. */
    private static final Pattern LOSES_IT = Pattern.compile("loses up to [12] events? in");

    private static final int REFUSED = 1;
    private static final int WRONG_ARGUMENTS = 2;

    private static OutboxPipeline pipeline;
    private static OutboxTable outbox;
    private static Topics topics;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        pipeline = OutboxPipeline.start(TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
        outbox = new OutboxTable(pipeline.stack().postgres());
        topics = new Topics(pipeline.stack());
    }

    @BeforeEach
    void isRunning() throws Exception {
        connect("PUT", "/connectors/outbox/resume");
        pipeline.stack().connect().awaitRunning(OutboxPipeline.CONNECTOR, SOON);
    }

    @AfterAll
    static void stop() {
        if (topics != null) {
            topics.close();
        }
        if (pipeline != null) {
            pipeline.close();
        }
    }

    @Test
    void aSlotIsMovedOnlyWhenItsReaderIsStoppedItsOffsetGoneAndTheLossAccepted() throws Exception {
        topics.await("outbox.event.moved", outbox.insert(OutboxRow.of("moved").key("before")), SOON);
        String[] advance = {"advance", "outbox", "--to", "end"};

        assertThat(refusal(advance))
                .contains("connector outbox is RUNNING with 1 task")
                .contains("is in use by process");

        connect("PUT", "/connectors/outbox/stop");
        await().atMost(SOON)
                .until(() -> one("SELECT active FROM pg_replication_slots").equals("f"));
        UUID lost = outbox.insert(OutboxRow.of("moved").key("lost"));
        assertThat(refusal(advance)).contains("DELETE /connectors/outbox/offsets");
        connect("DELETE", "/connectors/outbox/offsets");

        Outboxctl dryRun = run(advance);
        assertThat(dryRun.awaitExit(SOON)).as(dryRun.everything()).isZero();
        assertThat(dryRun.output()).containsPattern(LOSES_IT).contains("Nothing was done");
        String confirmed = one("SELECT confirmed_flush_lsn FROM pg_replication_slots");
        String server = server(dryRun);

        assertThat(failure(
                        WRONG_ARGUMENTS, "advance", "outbox", "--to", "end", "--server", server, "--confirm", "outbux"))
                .contains("the slot is 'outbox'");
        assertThat(refusal("advance", "outbox", "--to", "end", "--server", "1", "--confirm", "outbox"))
                .contains("this is server " + server);
        assertThat(refusal("advance", "outbox", "--to", "end", "--server", server, "--confirm", "outbox"))
                .contains("--accept-loss");
        assertThat(one("SELECT confirmed_flush_lsn FROM pg_replication_slots"))
                .as("nothing was done until now")
                .isEqualTo(confirmed);

        Outboxctl done =
                run("advance", "outbox", "--to", "end", "--accept-loss", "--server", server, "--confirm", "outbox");
        assertThat(done.awaitExit(SOON)).as(done.everything()).isZero();
        assertThat(done.output()).contains("Done: slot outbox has confirmed");
        assertThat(one("SELECT action FROM outbox_slot_log ORDER BY logged_at DESC LIMIT 1"))
                .isEqualTo("advance");

        connect("PUT", "/connectors/outbox/resume");
        UUID after = outbox.insert(OutboxRow.of("moved").key("after"));
        topics.await("outbox.event.moved", after, SOON);
        assertThat(topics.idsOf("outbox.event.moved")).doesNotContain(lost);
    }

    @Test
    void upToTheStoredOffsetNothingIsLostAndTheConnectorGoesOn() throws Exception {
        topics.await("outbox.event.kept", outbox.insert(OutboxRow.of("kept").key("before")), SOON);
        connect("PUT", "/connectors/outbox/stop");
        await().atMost(SOON)
                .until(() -> one("SELECT active FROM pg_replication_slots").equals("f"));
        UUID waiting = outbox.insert(OutboxRow.of("kept").key("waiting"));

        Outboxctl dryRun = run("advance", "outbox");

        int exitCode = dryRun.awaitExit(SOON);
        // On a quiet outbox the slot has mostly confirmed all that is stored.
        if (exitCode == 0) {
            assertThat(dryRun.output()).contains("loses no event");
            Outboxctl done = run("advance", "outbox", "--server", server(dryRun), "--confirm", "outbox");
            assertThat(done.awaitExit(SOON)).as(done.everything()).isZero();
        } else {
            assertThat(dryRun.errors()).contains("has confirmed").contains("already");
        }
        connect("PUT", "/connectors/outbox/resume");
        topics.await("outbox.event.kept", waiting, SOON);
        assertThat(topics.idsOf("outbox.event.kept")).hasSize(2);
    }

    @Test
    void aSlotThatWasDroppedIsMadeAnewAndTheConnectorStartsThere() throws Exception {
        topics.await("outbox.event.anew", outbox.insert(OutboxRow.of("anew").key("before")), SOON);
        connect("PUT", "/connectors/outbox/stop");
        await().atMost(SOON)
                .until(() -> one("SELECT active FROM pg_replication_slots").equals("f"));
        UUID lost = outbox.insert(OutboxRow.of("anew").key("lost"));

        Outboxctl dryRun = run("drop", "outbox");
        assertThat(dryRun.awaitExit(SOON)).as(dryRun.everything()).isZero();
        assertThat(dryRun.output()).containsPattern(LOSES_IT);
        String server = server(dryRun);
        Outboxctl dropped = run("drop", "outbox", "--accept-loss", "--server", server, "--confirm", "outbox");
        assertThat(dropped.awaitExit(SOON)).as(dropped.everything()).isZero();
        assertThat(one("SELECT count(*) FROM pg_replication_slots")).isEqualTo("0");

        String[] recreate = {"recreate", "outbox", "--accept-loss", "--server", server, "--confirm", "outbox"};
        assertThat(refusal(recreate)).contains("DELETE /connectors/outbox/offsets");
        connect("DELETE", "/connectors/outbox/offsets");
        Outboxctl made = run(recreate);
        assertThat(made.awaitExit(SOON)).as(made.everything()).isZero();
        assertThat(made.output()).contains("50_grants.sql");

        connect("PUT", "/connectors/outbox/resume");
        UUID after = outbox.insert(OutboxRow.of("anew").key("after"));
        topics.await("outbox.event.anew", after, SOON);
        assertThat(topics.idsOf("outbox.event.anew")).doesNotContain(lost);
    }

    @Test
    void aConnectorMustBeNamedOrDenied() throws Exception {
        Outboxctl silent = Outboxctl.start(
                "slot",
                "drop",
                "outbox",
                "--jdbc-url",
                pipeline.stack().postgres().jdbcUrl());

        assertThat(silent.awaitExit(SOON)).isEqualTo(WRONG_ARGUMENTS);
        assertThat(silent.errors()).contains("--connect-url").contains("--without-connector");
        assertThat(refusal("drop", "outbox", "--connector", "nobody")).contains("There is no connector nobody");
    }

    private static Outboxctl run(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("slot"));
        all.addAll(List.of(arguments));
        all.addAll(List.of(
                "--jdbc-url",
                pipeline.stack().postgres().jdbcUrl(),
                "--connect-url",
                pipeline.stack().connectUrl().toString()));
        return Outboxctl.start(all.toArray(String[]::new));
    }

    private static String refusal(String... arguments) throws Exception {
        return failure(REFUSED, arguments);
    }

    private static String failure(int exitCode, String... arguments) throws Exception {
        Outboxctl run = run(arguments);
        assertThat(run.awaitExit(SOON)).as(run.everything()).isEqualTo(exitCode);
        return run.errors();
    }

    private static String server(Outboxctl dryRun) {
        Matcher matcher = SERVER.matcher(dryRun.output());
        assertThat(matcher.find()).as(dryRun.everything()).isTrue();
        return matcher.group(1);
    }

    private void connect(String method, String path) throws Exception {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create(pipeline.stack().connectUrl() + path))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isLessThan(400);
    }

    private static String one(String sql) throws Exception {
        try (Connection connection = pipeline.stack().postgres().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
