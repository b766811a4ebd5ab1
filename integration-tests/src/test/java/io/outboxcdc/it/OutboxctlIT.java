package io.outboxcdc.it;

import io.outboxcdc.stack.PostgresAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** The command line as a person meets it: a process, its output, its exit code, and nothing left behind. */
class OutboxctlIT {

    private static final String WAITING = """
            SELECT count(*) FROM pg_logical_slot_peek_binary_changes(
                'outbox', NULL, NULL, 'proto_version', '1', 'publication_names', 'outbox')
            WHERE get_byte(data, 0) = ascii('I')""";
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(3);
    private static final Pattern VERDICT =
            Pattern.compile("300 events: 0 lost, 0 duplicated, 0 out of order; first event after \\d+\\.\\d s");

    @Test
    void theDemoEndsWithACleanVerdictAndLeavesNothingRunning() throws Exception {
        Outboxctl demo = Outboxctl.start("demo", "--events", "300", "--exit");

        int exitCode = demo.awaitExit(LONG_ENOUGH);

        assertThat(exitCode).as(demo.everything()).isZero();
        assertThat(demo.lastLine()).matches(VERDICT);
        assertThat(demo.output().lines().filter(line -> line.contains("outbox.event.")))
                .hasSize(300);
        assertThat(demo.stillRunning()).isEmpty();
    }

    @Test
    void upPrintsWhereEverythingIsAndEndsCleanOnSigterm() throws Exception {
        Outboxctl up = Outboxctl.start("up");

        up.awaitLine("MONITOR_URL=http://\\S+:\\d+/", LONG_ENOUGH);
        assertThat(up.output())
                .containsPattern("(?m)^JDBC_URL=jdbc:postgresql://127\\.0\\.0\\.1:\\d+/\\S+user=\\S+password=\\S+$")
                .containsPattern("(?m)^KAFKA_BOOTSTRAP_SERVERS=\\S+:\\d+$")
                .containsPattern("(?m)^CONNECT_URL=http://\\S+:\\d+/?$")
                .containsPattern("(?m)^POSTGRES_PID=\\d+$")
                .containsPattern("(?m)^KAFKA_PID=\\d+$");
        up.signal("TERM");

        assertThat(up.awaitExit(LONG_ENOUGH)).as(up.everything()).isZero();
        assertThat(up.stillRunning()).isEmpty();
    }

    @Test
    void upStartsAKilledPartAgainAndTheEventsGoOn() throws Exception {
        Outboxctl up = Outboxctl.start("up");
        up.awaitLine("CONNECT_PID=\\d+", LONG_ENOUGH);
        OutboxTable outbox = new OutboxTable(PostgresAddress.parse(up.value("JDBC_URL")));
        try (Topics topics = new Topics(up.value("KAFKA_BOOTSTRAP_SERVERS"))) {
            for (String part : List.of("CONNECT_PID", "KAFKA_PID", "POSTGRES_PID")) {
                String killed = up.value(part);

                Outboxctl.signal(killed, "KILL");
                up.awaitLine(part + "=(?!" + killed + "$)\\d+", LONG_ENOUGH);

                UUID event = outbox.insert(OutboxRow.of("after").key(part));
                topics.await("outbox.event.after", event, LONG_ENOUGH);
            }
            assertThat(topics.idsOf("outbox.event.after")).hasSize(3);
        }
        up.signal("INT");

        assertThat(up.awaitExit(LONG_ENOUGH)).as(up.everything()).isZero();
        assertThat(up.stillRunning()).isEmpty();
    }

    @Test
    void ctrlCWhileStartingLeavesNothingRunning() throws Exception {
        Outboxctl up = Outboxctl.start("up");

        up.awaitError("starting", LONG_ENOUGH);
        up.signal("INT");

        assertThat(up.awaitExit(LONG_ENOUGH)).as(up.everything()).isNotZero();
        assertThat(up.stillRunning()).isEmpty();
    }

    @Test
    void aTakenPortGivesOneLineAndStartsNothing() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Outboxctl up = Outboxctl.start("up", "--kafka-port", Integer.toString(taken.getLocalPort()));

            assertThat(up.awaitExit(LONG_ENOUGH)).isNotZero();
            assertThat(up.errorLines())
                    .singleElement()
                    .asString()
                    .contains("Kafka", "taken", Integer.toString(taken.getLocalPort()));
            assertThat(up.stillRunning()).isEmpty();
        }
    }

    @Test
    void aDatabaseWithoutLogicalDecodingIsNamedWithItsRemedy() throws Exception {
        try (GivenDatabase database = GivenDatabase.start(Map.of("wal_level", "replica"))) {
            Outboxctl demo = Outboxctl.start("demo", "--events", "1", "--exit", "--jdbc-url", database.jdbcUrl());

            assertThat(demo.awaitExit(LONG_ENOUGH)).isNotZero();
            assertThat(demo.errors()).contains("wal_level", "replica", "logical");
            assertThat(demo.errorLines()).hasSizeLessThanOrEqualTo(3);
            assertThat(demo.stillRunning()).isEmpty();
        }
    }

    @Test
    void aMissingOutboxIsNamedWithItsRemedy() throws Exception {
        try (GivenDatabase database = GivenDatabase.start(Map.of("wal_level", "logical"))) {
            Outboxctl up = Outboxctl.start("up", "--jdbc-url", database.jdbcUrl());

            assertThat(up.awaitExit(LONG_ENOUGH)).isNotZero();
            assertThat(up.errors()).contains("public.outbox", "--apply-sql");
            assertThat(up.stillRunning()).isEmpty();
        }
    }

    @Test
    void aGivenDatabaseGetsTheOutboxWhenAskedAndKeepsIt() throws Exception {
        try (GivenDatabase database = GivenDatabase.start(Map.of("wal_level", "logical"))) {
            Outboxctl demo = Outboxctl.start(
                    "demo", "--events", "20", "--exit", "--jdbc-url", database.jdbcUrl(), "--apply-sql");

            assertThat(demo.awaitExit(LONG_ENOUGH)).as(demo.everything()).isZero();
            assertThat(demo.lastLine()).startsWith("20 events: 0 lost, 0 duplicated, 0 out of order;");
            assertThat(demo.errors()).contains("slot 'outbox' stays", "pg_drop_replication_slot", "DELETE FROM");
            assertThat(database.count("SELECT count(*) FROM public.outbox")).isEqualTo(20);
            assertThat(database.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'outbox_demo'"))
                    .isZero();

            eventsThatWaitForAnotherConnectorAreNotTaken(database);
            missingRightsAreNamedBeforeAnythingStarts(database);
        }
    }

    private static void eventsThatWaitForAnotherConnectorAreNotTaken(GivenDatabase database) throws Exception {
        // The slot is read to what is on disk, and an embedded server writes commits there late unless asked.
        database.execute("""
                SET synchronous_commit = on;
                INSERT INTO public.outbox (id, aggregate_type, aggregate_id, payload)
                VALUES (gen_random_uuid(), 'order', '1', '{}')""");
        // The last events of the demo before may be among them: the slot confirms a moment after consumers have them.
        long waiting = database.count(WAITING);
        assertThat(waiting).isPositive();

        Outboxctl refused = Outboxctl.start("demo", "--events", "1", "--exit", "--jdbc-url", database.jdbcUrl());

        assertThat(refused.awaitExit(LONG_ENOUGH)).isNotZero();
        assertThat(refused.errorLines()).singleElement().asString().contains("was there before", "--take-slot");
        assertThat(database.count(WAITING)).isEqualTo(waiting);
    }

    private static void missingRightsAreNamedBeforeAnythingStarts(GivenDatabase database) throws Exception {
        database.execute("CREATE ROLE visitor LOGIN REPLICATION");

        Outboxctl refused = Outboxctl.start(
                "demo", "--events", "1", "--exit", "--take-slot", "--jdbc-url", database.jdbcUrl("visitor"));

        assertThat(refused.awaitExit(LONG_ENOUGH)).isNotZero();
        assertThat(refused.errorLines())
                .singleElement()
                .asString()
                .contains("GRANT CREATE ON DATABASE postgres TO visitor", "GRANT outbox_writer TO visitor");
    }

    @Test
    void anOldJavaIsNamedWithItsRemedy(@TempDir Path folder) throws Exception {
        Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho '    java.specification.version = 1.8' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));

        Outboxctl demo = Outboxctl.startWith(Map.of("JAVA_HOME", folder.toString()), "demo");

        assertThat(demo.awaitExit(LONG_ENOUGH)).isNotZero();
        assertThat(demo.errorLines()).singleElement().asString().contains("Java 8", "JDK 17");
    }

    @Test
    void endingItWhileItBuildsEndsTheBuild(@TempDir Path home) throws Exception {
        Outboxctl up = startUnbuilt(home, "echo '[INFO] Building Outbox CDC: slowly'; sleep 600");

        up.awaitError("slowly", LONG_ENOUGH);
        up.signal("TERM");

        assertThat(up.awaitExit(LONG_ENOUGH)).isEqualTo(130);
        assertThat(up.stillRunning()).isEmpty();
    }

    @Test
    void aFailedBuildShowsItsCause(@TempDir Path home) throws Exception {
        Outboxctl up =
                startUnbuilt(home, "echo '[ERROR] Disk full -> [Help 1]'; echo '[ERROR] The disk is full'; exit 1");

        assertThat(up.awaitExit(LONG_ENOUGH)).isEqualTo(1);
        assertThat(up.errorLines())
                .contains("[ERROR] The disk is full")
                .last()
                .asString()
                .contains("the build failed", "build.log");
    }

    /** The script in a folder where nothing is built, with this in place of Maven. */
    private static Outboxctl startUnbuilt(Path home, String maven) throws IOException {
        Path script = Files.copy(TestHome.path().resolve("outboxctl"), home.resolve("outboxctl"));
        Path mvn = Files.createDirectories(home.resolve("bin")).resolve("mvn");
        Files.writeString(mvn, "#!/bin/sh\n" + maven + "\n");
        Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Outboxctl.startScript(script, Map.of("PATH", mvn.getParent() + ":" + System.getenv("PATH")), "up");
    }

    @Test
    void wrongArgumentsAreExplainedAndEndWithTwo() throws Exception {
        Outboxctl demo = Outboxctl.start("demo", "--exit");

        assertThat(demo.awaitExit(LONG_ENOUGH)).isEqualTo(2);
        assertThat(demo.errorLines().get(0)).contains("--exit needs --events");
    }
}
