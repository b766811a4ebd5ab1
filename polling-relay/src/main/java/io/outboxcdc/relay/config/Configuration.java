package io.outboxcdc.relay.config;

import io.outboxcdc.relay.database.Database;
import io.outboxcdc.relay.publish.KafkaSettings;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the relay is to do.
 *
 * @param columns those that the router gets
 * @param router  the router's options
 */
public record Configuration(
        Database database,
        List<String> columns,
        String name,
        String sourceName,
        KafkaSettings kafka,
        Map<String, String> router,
        Topics topics,
        Batches batches,
        Pauses pauses,
        Duration lease,
        Retention retention,
        String httpAddress,
        int httpPort) {

    /** Copies what can be changed. */
    public Configuration {
        columns = List.copyOf(columns);
        router = Map.copyOf(router);
    }

    /** Topics that are the relay's own matter. */
    public record Topics(boolean create, String deadLetter, String position) {}

    /** How much is published at once. */
    public record Batches(int mostRows, long mostBytes) {}

    /** How long to wait for what. */
    public record Pauses(Duration shortestPoll, Duration longestPoll, Duration firstRetry, Duration longestRetry) {}

    /** What becomes of published events. */
    public record Retention(Duration keep, Duration interval, int batchRows) {}

    @Override
    public String toString() {
        return name + " " + database;
    }
}
