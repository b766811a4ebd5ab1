package io.outboxcdc.cli.verify;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * What is to be compared.
 *
 * @param jdbcUrl the database; not shown anywhere, since a password may be in it
 * @param password used when the URL has none: what a URL says comes first with the driver
 * @param table the outbox, with its schema
 * @param slots every slot that reads the table
 * @param since rows created from then on; all without it
 * @param until rows created before then; all without it
 * @param aggregateTypes rows of these types; all when empty
 * @param orderBy what says the order; without it the commit time if the server keeps it
 * @param client properties of Kafka clients, the servers among them
 * @param topics the event topics
 * @param deadLetterTopic where dead letters are
 * @param readUncommitted whether records of open and aborted transactions count
 * @param grace how long the slots may take to confirm what was committed; without a slot, how long an event may take
 * @param tempFolder where rows and records are sorted
 */
public record VerifyOptions(
        String jdbcUrl,
        Optional<String> password,
        String table,
        List<String> slots,
        Optional<Instant> since,
        Optional<Instant> until,
        List<String> aggregateTypes,
        Optional<OrderSource> orderBy,
        Properties client,
        Pattern topics,
        String deadLetterTopic,
        boolean readUncommitted,
        Duration grace,
        Path tempFolder) {

    /** A copy of the lists. */
    public VerifyOptions {
        slots = List.copyOf(slots);
        aggregateTypes = List.copyOf(aggregateTypes);
    }

    /** Whether every row of the table is compared. */
    boolean wholeTable() {
        return since.isEmpty() && until.isEmpty() && aggregateTypes.isEmpty();
    }
}
