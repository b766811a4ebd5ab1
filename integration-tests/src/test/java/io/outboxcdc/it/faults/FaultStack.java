package io.outboxcdc.it.faults;

import io.outboxcdc.it.TestHome;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.LocalStack;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StackProcess;
import io.outboxcdc.stack.StartupProgress;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import static org.awaitility.Awaitility.await;

/** One stack for the trials of a class, and what they do to it. */
final class FaultStack implements AutoCloseable {

    private static final Duration DEPLOYMENT = Duration.ofMinutes(1);
    private static final int FIRST_REFUSAL = 400;
    private static final String READER =
            "SELECT coalesce(active_pid::text, '') FROM pg_replication_slots WHERE slot_name = 'outbox'";

    private final Profile profile;
    private final OutboxPipeline pipeline;

    private FaultStack(Profile profile, OutboxPipeline pipeline) {
        this.profile = profile;
        this.pipeline = pipeline;
    }

    static FaultStack start(Profile profile) {
        FaultStack stack = new FaultStack(
                profile,
                OutboxPipeline.startWithoutConnector(
                        TestHome.options().withWorkerSettings(profile.workerSettings()),
                        GivenDatabaseConsent.NONE,
                        StartupProgress.SILENT));
        stack.deploy();
        return stack;
    }

    Trial trial(String name) throws SQLException {
        return Trial.start(stack(), name, profile);
    }

    Trial trialWithoutLoad(String name) throws SQLException {
        return Trial.withoutLoad(stack(), name, profile);
    }

    LocalStack stack() {
        return pipeline.stack();
    }

    StackProcess worker() {
        return stack().connectProcess();
    }

    StackProcess broker() {
        return stack().kafkaProcess();
    }

    StackProcess postgres() {
        return stack().postgresProcess().orElseThrow();
    }

    /** Puts the profile's shipped file and waits until its task runs. */
    void deploy() {
        stack().connect().put(OutboxPipeline.CONNECTOR, profile.configuration());
        stack().connect().awaitRunning(OutboxPipeline.CONNECTOR, DEPLOYMENT);
    }

    /** Returns when another process of the server reads the slot: the REST interface says RUNNING all the while. */
    void restartConnector() throws SQLException {
        String before = text(READER);
        stack().connect().restart(OutboxPipeline.CONNECTOR);
        await().atMost(DEPLOYMENT).until(() -> text(READER), reader -> !reader.isEmpty() && !reader.equals(before));
        stack().connect().awaitRunning(OutboxPipeline.CONNECTOR, DEPLOYMENT);
    }

    /** Something that the worker is to do with the connector, such as {@code PUT /stop}. */
    void connector(String method, String path) throws IOException, InterruptedException {
        URI uri = URI.create(stack().connectUrl() + "/connectors/" + OutboxPipeline.CONNECTOR + path);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= FIRST_REFUSAL) {
            throw new IllegalStateException(
                    method + " " + uri + " answers " + response.statusCode() + ": " + response.body());
        }
    }

    /** Waits until nobody reads the slot, if there is one. */
    void awaitNoReader() {
        await().atMost(DEPLOYMENT)
                .until(() -> text("SELECT count(*) FROM pg_replication_slots WHERE slot_name = 'outbox' AND active")
                        .equals("0"));
    }

    /** Waits until the slot has confirmed past all that was written before this call. */
    void awaitConfirmed() throws SQLException {
        String position = text("SELECT pg_current_wal_insert_lsn()");
        await().atMost(DEPLOYMENT)
                .until(() -> text("SELECT confirmed_flush_lsn >= '" + position
                                + "' FROM pg_replication_slots WHERE slot_name = 'outbox'")
                        .equals("t"));
    }

    Connection open() throws SQLException {
        Connection connection = stack().postgres().connect();
        connection.setAutoCommit(false);
        return connection;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = stack().postgres().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the only row. */
    String text(String query) throws SQLException {
        try (Connection connection = stack().postgres().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Inserts rows of one aggregate in the caller's transaction; their ids, in order. */
    static List<UUID> insert(Connection connection, String aggregateType, String aggregateId, int rows)
            throws SQLException {
        List<UUID> ids = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet inserted = statement.executeQuery("""
                        INSERT INTO public.outbox (id, aggregate_type, aggregate_id, event_type, payload)
                        SELECT gen_random_uuid(), '%s', '%s', 'Changed',
                               jsonb_build_object('n', n, 'text', repeat('x', 200))
                        FROM generate_series(1, %d) AS n RETURNING id""".formatted(aggregateType, aggregateId, rows))) {
            while (inserted.next()) {
                ids.add(inserted.getObject(1, UUID.class));
            }
        }
        return ids;
    }

    static void killAndStart(StackProcess part) {
        part.kill();
        part.start();
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
