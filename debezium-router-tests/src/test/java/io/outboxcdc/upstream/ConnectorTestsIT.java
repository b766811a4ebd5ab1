package io.outboxcdc.upstream;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Debezium's tests of its router behind its PostgreSQL connector, on a real PostgreSQL. What would break: records of a
 * real connector that only a hand-made record resembles.
 */
class ConnectorTestsIT {

    private static final int TESTS = 9;

    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "logical")
                .start();
        Map.of(
                        "plugin.name", "pgoutput",
                        "database.hostname", "localhost",
                        "database.port", String.valueOf(postgres.getPort()),
                        "database.user", "postgres",
                        "database.password", "postgres",
                        "database.dbname", "postgres")
                .forEach(System::setProperty);
    }

    @AfterAll
    static void stop() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Test
    void allPassButThoseThatPinAFault() throws ClassNotFoundException {
        PublishedTests tests =
                PublishedTests.runAgainstOurRouter("io.debezium.connector.postgresql.OutboxEventRouterIT");

        assertThat(tests.failed().keySet())
                .as("%s", tests.failed())
                .isEqualTo(IntendedFailures.OF_THE_CONNECTOR.keySet());
        assertThat(tests.passed()).hasSize(TESTS - IntendedFailures.OF_THE_CONNECTOR.size());
        assertThat(tests.skipped()).isEmpty();
    }
}
