package io.outboxcdc.stack;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A connector in a stack: by way of the REST interface, with the database that the worker's environment names. */
class DeployedConnectorIT {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String CONFIG = """
            {
              "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
              "database.hostname": "${env:OUTBOX_DB_HOST}",
              "database.port": "${env:OUTBOX_DB_PORT}",
              "database.dbname": "${env:OUTBOX_DB_NAME}",
              "database.user": "${env:OUTBOX_DB_USER}",
              "database.password": "${env:OUTBOX_DB_PASSWORD}",
              "topic.prefix": "rows",
              "plugin.name": "pgoutput",
              "slot.name": "%1$s",
              "publication.name": "rows",
              "publication.autocreate.mode": "disabled",
              "table.include.list": "%2$s",
              "snapshot.mode": "no_data",
              "exactly.once.support": "required",
              "producer.override.transaction.timeout.ms": "10000",
              "poll.interval.ms": "5"
            }
            """;

    private static LocalStack stack;
    private static Probe probe;

    @BeforeAll
    static void start() throws Exception {
        stack = LocalStack.start(StackOptions.of(Home.FOLDER), StartupProgress.SILENT);
        probe = new Probe(stack);
        probe.execute("CREATE TABLE rows (v text PRIMARY KEY)");
        probe.execute("CREATE PUBLICATION rows FOR TABLE rows");
        probe.execute("CREATE ROLE outbox_cdc LOGIN REPLICATION PASSWORD '" + stack.cdcPassword() + "'");
        probe.execute("GRANT SELECT ON rows TO outbox_cdc");
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    @Test
    void aConnectorRunsAndComesBackAfterTheWorkerWasKilledSoonAfterTheJoin() throws Exception {
        stack.connect().put("rows", CONFIG.formatted("rows", "public.rows"));
        stack.connect().awaitRunning("rows", BOUND);
        probe.execute("INSERT INTO rows VALUES ('first')");
        assertThat(probe.consume("rows.public.rows", 1))
                .singleElement()
                .asString()
                .contains("first");

        long killed = System.nanoTime();
        stack.connectProcess().kill();
        stack.connectProcess().start();
        probe.execute("INSERT INTO rows VALUES ('second')");

        assertThat(probe.consume("rows.public.rows", 2))
                .hasSize(2)
                .last()
                .asString()
                .contains("second");
        assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(BOUND);
        assertThat(stack.connect().awaitRunning("rows", BOUND).isRunning()).isTrue();
        assertThat(stack.connect().delete("rows")).isTrue();
        assertThat(stack.connect().delete("rows")).isFalse();
        assertThat(stack.connect().status("rows")).isEqualTo(Optional.empty());
    }

    @Test
    void aTaskThatFailsIsReportedByItsRootCause() {
        String noSuchPublication = CONFIG.formatted("other", "public.rows").replace("\"rows\",\n", "\"nowhere\",\n");
        stack.connect().put("broken", noSuchPublication);

        assertThatThrownBy(() -> stack.connect().awaitRunning("broken", BOUND))
                .isInstanceOf(StackException.class)
                .message()
                .satisfies(message -> assertThat(message.lines().findFirst())
                        .hasValueSatisfying(line -> assertThat(line)
                                .startsWith("Task 0 of connector broken failed: ")
                                .contains("autocreation is disabled")));
        stack.connect().delete("broken");
    }

    @Test
    void aConfigurationIsCheckedWithoutBeingPut() {
        ConfigCheck check = stack.connect()
                .validate(
                        "checked",
                        "{\"connector.class\": "
                                + "\"io.debezium.connector.postgresql.PostgresConnector\", \"topic.prefix\": \"a b\"}");

        assertThat(check.problems()).containsKeys("topic.prefix", "database.hostname");
        assertThat(check.knownKeys()).contains("slot.name", "publication.name");
        assertThat(stack.connect().connectors()).doesNotContain("checked");
    }

    @Test
    void aRefusedConfigurationIsExplained() {
        assertThatThrownBy(() -> stack.connect().put("nothing", "{\"connector.class\": \"no.such.Connector\"}"))
                .isInstanceOf(StackException.class)
                .hasMessageContaining("refused PUT /connectors/nothing/config")
                .hasMessageContaining("no.such.Connector");
    }
}
