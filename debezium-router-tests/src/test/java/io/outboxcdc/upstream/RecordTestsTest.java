package io.outboxcdc.upstream;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Debezium's tests of single records, by the options that they set. What would break: the promise that changing the class
 * is all that a change of routers takes. A test that newly fails, or newly passes, fails this one.
 */
class RecordTestsTest {

    private static final int TESTS = 44;

    @Test
    void allPassButThoseThatPinAFault() throws ClassNotFoundException {
        PublishedTests tests = PublishedTests.runAgainstOurRouter("io.debezium.transforms.outbox.EventRouterTest");

        assertThat(tests.failed().keySet()).as("%s", tests.failed()).isEqualTo(IntendedFailures.OF_RECORDS.keySet());
        assertThat(tests.passed()).hasSize(TESTS - IntendedFailures.OF_RECORDS.size());
        assertThat(tests.skipped()).isEmpty();
    }

    @Test
    void thePageOnDifferencesNamesEachTestThatFails() {
        assertThat(Path.of("../docs/reference/differences-from-debezium.md"))
                .content()
                .contains(IntendedFailures.OF_RECORDS.keySet())
                .contains(IntendedFailures.OF_THE_CONNECTOR.keySet());
    }
}
