package io.outboxcdc.monitor.serve;

import io.outboxcdc.monitor.sample.Snapshot;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether every configured database and Connect cluster answered in the last two samples.
 *
 * @param last what did not answer in the last sample
 * @param before what did not answer in the one before
 */
public record Readiness(List<String> last, List<String> before) {

    private static final String NO_SAMPLE = "no sample was taken yet";

    static final Readiness NONE = new Readiness(List.of(NO_SAMPLE), List.of(NO_SAMPLE));

    Readiness next(Snapshot snapshot) {
        List<String> silent = new ArrayList<>();
        snapshot.databases().stream()
                .filter(database -> database.reading().value().isEmpty())
                .forEach(database -> silent.add("database " + database.name() + ": "
                        + database.reading().reason().orElse("")));
        snapshot.clusters().stream()
                .filter(cluster -> cluster.reading().value().isEmpty())
                .forEach(cluster -> silent.add("Connect cluster " + cluster.name() + ": "
                        + cluster.reading().reason().orElse("")));
        return new Readiness(List.copyOf(silent), last);
    }

    boolean isReady() {
        return last.isEmpty() && before.isEmpty();
    }
}
