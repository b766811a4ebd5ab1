package io.outboxcdc.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outboxcdc.cli.demo.CommitClock;
import io.outboxcdc.cli.demo.DemoSchema;
import io.outboxcdc.cli.demo.OrderWriters;
import io.outboxcdc.client.ledger.Ledger;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.PostgresAddress;
import io.outboxcdc.stack.StackProcess;
import io.outboxcdc.stack.StartupProgress;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The check of a running pipeline, on pipelines that are sound and on such as were made to lose events. What would break:
 * trust in a check that sees nothing.
 */
class VerifyIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration RUN = Duration.ofMinutes(2);
    private static final String MONITOR = "outbox_monitor";
    private static final String PASSWORD = "not-to-be-shown";
    private static final String SECRET_PAYLOAD = "{\"card\": \"4111-not-to-be-shown\"}";
    private static final int CLEAN = 0;
    private static final int NOT_CHECKED = 1;
    private static final int NOT_CLEAN = 3;
    private static final int UNDECIDED = 4;
    private static final ObjectMapper JSON = new ObjectMapper();

    private static OutboxPipeline pipeline;
    private static OutboxTable outbox;

    @TempDir
    private Path folder;

    /** What a run printed and wrote. */
    private record Run(int exitCode, Outboxctl process, JsonNode json) {

        List<String> ids(String kind) {
            List<String> ids = new ArrayList<>();
            for (JsonNode finding : json.path("findings")) {
                if (finding.path("kind").asText().equals(kind)) {
                    ids.add(finding.path("id").asText());
                }
            }
            assertThat(json.path("counts").path(kind).asLong()).isEqualTo(ids.size());
            return ids;
        }
    }

    @BeforeAll
    static void start() throws SQLException {
        pipeline = OutboxPipeline.startWithoutConnector(
                TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
        outbox = new OutboxTable(pipeline.stack().postgres());
        outbox.execute("ALTER SYSTEM SET track_commit_timestamp = on");
        outbox.execute("ALTER ROLE " + MONITOR + " PASSWORD '" + PASSWORD + "'");
        StackProcess postgres = pipeline.stack().postgresProcess().orElseThrow();
        postgres.stop();
        postgres.start();
        pipeline.deployConnector();
    }

    @AfterAll
    static void stop() {
        if (pipeline != null) {
            pipeline.close();
        }
    }

    @Test
    void aSoundPipelineIsCleanByCommitTimeAndByTheWritersCounter() throws Exception {
        writeOrders(500);

        Run byTime = verify("--aggregate-type", "order", "--aggregate-type", "customer", "--since", "1h");
        assertThat(byTime.exitCode()).as(byTime.process().everything()).isEqualTo(CLEAN);
        assertThat(byTime.json().path("order_by").asText()).isEqualTo("commit-time");
        assertThat(byTime.json().path("counts").path("order_not_judged").asLong())
                .isZero();
        assertThat(byTime.json().path("counts").path("rows").asLong()).isEqualTo(500);

        outbox.execute("GRANT SELECT (payload) ON public.outbox TO " + MONITOR);
        Run byCounter =
                verify("--aggregate-type", "order", "--aggregate-type", "customer", "--order-by", "payload:/version");
        outbox.execute("REVOKE SELECT (payload) ON public.outbox FROM " + MONITOR);
        assertThat(byCounter.exitCode()).as(byCounter.process().everything()).isEqualTo(CLEAN);
        assertThat(byCounter.json().path("counts").path("order_not_judged").asLong())
                .isZero();
    }

    @Test
    void rowsThatAToleranceOfErrorsSkipsAreLostByTheirIds() throws Exception {
        stopConnector();
        deploy(Map.of("errors.tolerance", "all", "transforms.outbox.on.invalid.event", "fail"));
        UUID before = outbox.insert(OutboxRow.of("tolerant"));
        List<String> skipped =
                List.of(insertBad("tolerant").toString(), insertBad("tolerant").toString());
        UUID after = outbox.insert(OutboxRow.of("tolerant"));

        Run run = verify("--aggregate-type", "tolerant");

        assertThat(run.exitCode()).as(run.process().everything()).isEqualTo(NOT_CLEAN);
        assertThat(run.ids("lost")).containsExactlyInAnyOrderElementsOf(skipped);
        assertThat(run.process().output()).contains(skipped).doesNotContain(before.toString(), after.toString());
        stopConnector();
        pipeline.deployConnector();
    }

    @Test
    void rowsThatASlotAdvancedByHandSkipsAreLostByTheirIds() throws Exception {
        UUID before = outbox.insert(OutboxRow.of("advanced"));
        try (Topics topics = new Topics(pipeline.stack())) {
            topics.await("outbox.event.advanced", before, SOON);
        }
        List<String> skipped = insertBehindTheSlot("advanced", 3);
        outbox.insert(OutboxRow.of("advanced"));

        Run run = verify("--aggregate-type", "advanced");

        assertThat(run.exitCode()).as(run.process().everything()).isEqualTo(NOT_CLEAN);
        assertThat(run.ids("lost")).containsExactlyInAnyOrderElementsOf(skipped);
        assertThat(run.json().path("slot_state").asText()).isEqualTo("confirmed");
    }

    @Test
    void aRepeatAndAnEventThatCameTooLateAreFoundWhereTheyAre() throws Exception {
        List<String> rows = insertBehindTheSlot("swapped", 2);
        for (String id : List.of(rows.get(1), rows.get(0), rows.get(0))) {
            send("outbox.event.swapped", id);
        }

        Run run = verify("--aggregate-type", "swapped", "--at-least-once");

        assertThat(run.exitCode()).as(run.process().everything()).isEqualTo(NOT_CLEAN);
        assertThat(run.ids("out_of_order")).containsExactly(rows.get(0));
        assertThat(run.ids("duplicated")).containsExactly(rows.get(0));
        assertThat(run.ids("lost")).isEmpty();
        assertThat(run.json().path("findings").get(0).path("topic").asText()).isEqualTo("outbox.event.swapped");
    }

    @Test
    void repeatsAloneAreNoFaultWhereTheyAreExpected() throws Exception {
        String id = insertBehindTheSlot("repeated", 1).get(0);
        send("outbox.event.repeated", id);
        send("outbox.event.repeated", id);

        assertThat(verify("--aggregate-type", "repeated").exitCode()).isEqualTo(NOT_CLEAN);
        assertThat(verify("--aggregate-type", "repeated", "--at-least-once").exitCode())
                .isEqualTo(CLEAN);
    }

    @Test
    void aPartitionedTableWithTheStockRoutersColumnsIsJudgedByItsCounter() throws Exception {
        outbox.execute("""
                CREATE TABLE public.parts (id uuid, aggregatetype text, aggregateid text, payload jsonb, seq bigint,
                    created_at timestamptz DEFAULT now()) PARTITION BY RANGE (created_at)""");
        outbox.execute(
                "CREATE TABLE public.parts_all PARTITION OF public.parts FOR VALUES FROM ('2000-01-01') TO (MAXVALUE)");
        outbox.execute("GRANT SELECT (id, aggregatetype, aggregateid, seq, created_at) ON public.parts TO " + MONITOR);
        List<String> ids = new ArrayList<>();
        for (int seq = 1; seq <= 3; seq++) {
            String id = UUID.randomUUID().toString();
            ids.add(id);
            outbox.execute("INSERT INTO public.parts (id, aggregatetype, aggregateid, seq) VALUES ('" + id
                    + "', 'part', '1', " + seq + ")");
        }
        for (int sent : List.of(0, 2, 1)) {
            send("parts.topic", ids.get(sent));
        }

        Run run = verify("--table", "public.parts", "--topics", "parts\\..+", "--order-by", "seq");

        assertThat(run.exitCode()).as(run.process().everything()).isEqualTo(NOT_CLEAN);
        assertThat(run.ids("out_of_order")).containsExactly(ids.get(1));
        assertThat(run.json().path("findings").findValuesAsText("kind")).isSubsetOf("out_of_order", "unknown");
    }

    @Test
    void rowsThatWaitForAStoppedConnectorAreOnTheWayAndThenArrive() throws Exception {
        stopConnector();
        String waiting = outbox.insert(OutboxRow.of("waiting")).toString();

        Run run = verify("--aggregate-type", "waiting", "--grace", "1s");

        assertThat(run.exitCode()).as(run.process().everything()).isEqualTo(UNDECIDED);
        assertThat(run.ids("on_the_way")).containsExactly(waiting);
        pipeline.deployConnector();
        assertThat(verify("--aggregate-type", "waiting", "--grace", "60s").exitCode())
                .isEqualTo(CLEAN);
    }

    @Test
    void aDeadLetterIsReportedAndNeitherPayloadNorPasswordShows() throws Exception {
        String bad = outbox.insertUnchecked(OutboxRow.of("dead/letter").payload(SECRET_PAYLOAD))
                .toString();

        Run run = verify("--aggregate-type", "dead/letter");

        assertThat(run.exitCode()).as(run.process().everything()).isEqualTo(NOT_CLEAN);
        assertThat(run.ids("dead_lettered")).containsExactly(bad);
        assertThat(run.process().everything() + run.json()).doesNotContain("not-to-be-shown");
    }

    @Test
    void anEventWhoseRowWasCleanedUpIsUnknownAndNotAFault() throws Exception {
        UUID id = outbox.insert(OutboxRow.of("cleaned"));
        try (Topics topics = new Topics(pipeline.stack())) {
            topics.await("outbox.event.cleaned", id, SOON);
        }
        outbox.execute("DELETE FROM public.outbox WHERE id = '" + id + "'");

        Run whole = verify();

        assertThat(whole.ids("unknown")).contains(id.toString());
        assertThat(verify("--aggregate-type", "cleaned").exitCode()).isEqualTo(CLEAN);
    }

    @Test
    void whatCannotBeCheckedIsNamedWithoutTheSecret() throws Exception {
        Outboxctl wrongPassword = Outboxctl.start(
                "verify",
                "--bootstrap-servers",
                pipeline.stack().bootstrapServers(),
                "--jdbc-url",
                url(MONITOR) + "&password=wrong-" + PASSWORD);
        assertThat(wrongPassword.awaitExit(RUN)).isEqualTo(NOT_CHECKED);
        assertThat(wrongPassword.errorLines()).singleElement().asString().contains("cannot be reached");
        assertThat(wrongPassword.everything()).doesNotContain(PASSWORD);

        Path client = Files.writeString(
                folder.resolve("client.properties"),
                "default.api.timeout.ms=1500\n"
                        + "request.timeout.ms=1000\nbootstrap.servers=127.0.0.1:1\nsasl.jaas.config=" + PASSWORD
                        + "\n");
        Outboxctl noKafka = Outboxctl.startWith(
                Map.of("PGPASSWORD", PASSWORD),
                "verify",
                "--kafka-config",
                client.toString(),
                "--jdbc-url",
                url(MONITOR) + "&sslpassword=of-a-key");
        assertThat(noKafka.awaitExit(RUN)).isEqualTo(NOT_CHECKED);
        assertThat(noKafka.errorLines()).singleElement().asString().contains("Kafka cannot be read");
        assertThat(noKafka.everything()).doesNotContain(PASSWORD);
    }

    @Test
    void aMissingRightIsNamedWithItsGrant() throws Exception {
        outbox.execute("CREATE ROLE visitor LOGIN PASSWORD '" + PASSWORD + "'");

        Outboxctl refused = Outboxctl.startWith(
                Map.of("PGPASSWORD", PASSWORD),
                "verify",
                "--bootstrap-servers",
                pipeline.stack().bootstrapServers(),
                "--jdbc-url",
                url("visitor"));

        assertThat(refused.awaitExit(RUN)).isEqualTo(NOT_CHECKED);
        assertThat(refused.errorLines())
                .singleElement()
                .asString()
                .contains("GRANT SELECT (id, aggregate_type, aggregate_id, created_at, xmin, xmax, cmin) ON outbox TO"
                        + " visitor");
    }

    /** As the monitor, whose rights must be enough. */
    private Run verify(String... more) throws Exception {
        Path json = folder.resolve("verify.json");
        List<String> arguments = new ArrayList<>(List.of(
                "verify",
                "--jdbc-url",
                url(MONITOR),
                "--bootstrap-servers",
                pipeline.stack().bootstrapServers(),
                "--json",
                json.toString()));
        arguments.addAll(List.of(more));
        Outboxctl process = Outboxctl.startWith(Map.of("PGPASSWORD", PASSWORD), arguments.toArray(String[]::new));
        int exitCode = process.awaitExit(RUN);
        assertThat(json).as(process.everything()).exists();
        return new Run(exitCode, process, JSON.readTree(json.toFile()));
    }

    private static String url(String user) {
        PostgresAddress address = pipeline.stack().postgres();
        return "jdbc:postgresql://%s:%d/%s?user=%s".formatted(address.host(), address.port(), address.database(), user);
    }

    private static void writeOrders(int events) throws Exception {
        try (DemoSchema schema = DemoSchema.create(pipeline.stack().postgres());
                OrderWriters writers = OrderWriters.start(
                        pipeline.stack().postgres(), new Ledger(), new CommitClock(), events, 1_000)) {
            assertThat(writers.await(SOON)).isTrue();
        }
    }

    /** Its headers are no object, which the router refuses. */
    private static UUID insertBad(String aggregateType) throws SQLException {
        return outbox.insertUnchecked(OutboxRow.of(aggregateType).headers("[1]"));
    }

    /**
     * Rows that the connector never sees: while it is stopped the slot is moved over them and its offsets are forgotten.
     * With its offsets kept it would go on without a word as long as the slot holds the WAL from there on, and fail
     * otherwise.
     */
    private static List<String> insertBehindTheSlot(String aggregateType, int rows) throws Exception {
        request("PUT", "/stop");
        await().atMost(SOON).until(() -> outbox.slotIsFree());
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            ids.add(outbox.insert(OutboxRow.of(aggregateType)).toString());
        }
        outbox.execute("SELECT pg_replication_slot_advance('outbox', pg_current_wal_lsn())");
        await().atMost(SOON).until(() -> request("DELETE", "/offsets") == HttpURLConnection.HTTP_OK);
        pipeline.stack().connect().delete(OutboxPipeline.CONNECTOR);
        pipeline.deployConnector();
        return ids;
    }

    private static int request(String method, String path) throws Exception {
        URI uri = pipeline.stack().connectUrl().resolve("/connectors/" + OutboxPipeline.CONNECTOR + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void stopConnector() {
        pipeline.stack().connect().delete(OutboxPipeline.CONNECTOR);
        await().atMost(SOON).until(() -> outbox.slotIsFree());
    }

    private static void deploy(Map<String, String> changes) throws IOException {
        ObjectNode config = (ObjectNode) JSON.readTree(TestHome.path()
                .resolve("connector-configs/outbox-connector.json")
                .toFile());
        changes.forEach(config::put);
        pipeline.stack().connect().put(OutboxPipeline.CONNECTOR, config.toString());
        pipeline.stack().connect().awaitRunning(OutboxPipeline.CONNECTOR, SOON);
    }

    private static void send(String topic, String id) throws Exception {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, "1", SECRET_PAYLOAD);
        record.headers().add("id", id.getBytes(UTF_8));
        Map<String, Object> settings =
                Map.of("bootstrap.servers", pipeline.stack().bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(record).get();
        }
    }
}
